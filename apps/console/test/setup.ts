/** Layout does not exist in jsdom: nothing is observed, and no media query matches. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

const noMedia = (media: string): Partial<MediaQueryList> => ({
  media,
  matches: false,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});

Object.assign(globalThis, { ResizeObserver: NoObserver, IntersectionObserver: NoObserver });
// React asks for it before it lets a test wrap what changes the screen.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
window.matchMedia ??= noMedia as typeof window.matchMedia;
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;
