/**
 * The labels of servers in wrapped URIs: the name in lower case, because schemes are case-insensitive (RFC 3986, section 3.1), with
 * `-` for characters that schemes do not allow. Of servers with equal labels, one whose name is the label keeps it; the others
 * are numbered in their order: `files-2`.
 */
export function serverLabels(servers: readonly string[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  const add = (server: string, label: string): void => {
    labels.set(server, label);
    taken.add(label);
  };
  for (const server of servers) if (labelOf(server) === server) add(server, server);
  const numbers = new Map<string, number>();
  for (const server of servers) {
    if (labels.has(server)) continue;
    const label = labelOf(server);
    let number = numbers.get(label) ?? 1;
    while (taken.has(numbered(label, number))) number++;
    numbers.set(label, number);
    add(server, numbered(label, number));
  }
  return labels;
}

function labelOf(server: string): string {
  return server.toLowerCase().replace(/[^a-z\d.-]/g, "-") || "-";
}

function numbered(label: string, number: number): string {
  return number === 1 ? label : `${label}-${number}`;
}
