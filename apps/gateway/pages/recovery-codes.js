/** Shows recovery codes, which the service tells once, and the ways to keep them. */
const $ = (id) => document.getElementById(id);

const asText = (codes) => `Gatehouse recovery codes. Each works once.\n\n${codes.join('\n')}\n`;

function download(text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: address, download: 'gatehouse-recovery-codes.txt' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

export function showRecoveryCodes(codes, say) {
  const text = asText(codes);
  $('recovery').hidden = false;
  $('recovery-codes').replaceChildren(
    ...codes.map((code) => Object.assign(document.createElement('li'), { textContent: code })),
  );
  // Browsers offer the clipboard only over HTTPS and on this machine.
  $('copy-codes').hidden = !navigator.clipboard;
  $('copy-codes').onclick = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Recovery codes copied.', true),
      () => say('Your browser did not allow copying. Select and copy the codes yourself.'),
    );
  $('download-codes').onclick = () => download(text);
  $('print-codes').onclick = () => print();
}
