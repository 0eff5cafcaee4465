/**
 * The order of all organisations after one takes the place of its neighbour in the list.
 * @param stored the order that the partner has set; empty before it has set one
 * @param shown the organisations of the page, in the order in which they are listed
 */
export function orderAfter(
  stored: readonly string[],
  shown: readonly string[],
  { id, neighbour }: { readonly id: string; readonly neighbour: string },
): readonly string[] {
  const order = stored.length > 0 ? stored : shown;
  const isDown = order.indexOf(id) < order.indexOf(neighbour);
  const others = order.filter((one) => one !== id);
  const at = others.indexOf(neighbour) + (isDown ? 1 : 0);
  return [...others.slice(0, at), id, ...others.slice(at)];
}

/** Rows in an order; those that it does not name follow as they were. */
export function inOrder<Row extends { readonly id: string }>(rows: readonly Row[], order: readonly string[]): Row[] {
  const place = new Map(order.map((id, at) => [id, at]));
  return [...rows].sort((a, b) => (place.get(a.id) ?? order.length) - (place.get(b.id) ?? order.length));
}
