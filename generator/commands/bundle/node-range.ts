/** The lowest version that occurs in a range such as `>=20.19 <23 || ^24`; undefined if there is none. */
export function leastNode(range: string): string | undefined {
  const versions = range
    .split("||")
    .flatMap((part) => /(?<![\d.<]|<\s*|<=\s*)\d+(?:\.\d+){0,2}/.exec(part)?.[0] ?? [])
    .map((text) => ({ text, numbers: text.split(".").map(Number) }));
  versions.sort(({ numbers: a }, { numbers: b }) => difference(a, b));
  return versions[0]?.text;
}

function difference(a: readonly number[], b: readonly number[]): number {
  const place = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0)) ?? 0;
  return (a[place] ?? 0) - (b[place] ?? 0);
}
