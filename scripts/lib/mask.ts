/** Replaces what differs from run to run in a golden file: the ports of loopback. The one place. */
export function maskPorts(text: string): string {
  return text.replaceAll(/\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, '$1:PORT');
}
