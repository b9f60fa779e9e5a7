/** The name that the user may have meant: the one with the fewest edits, if these are few. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.slice(0, longest).toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = names
    .map((name) => ({ name, edits: distance(wanted, name.slice(0, longest).toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= most ? best.name : undefined;
}

/** Names can come from servers, and the time to compare grows with the square of their length. */
const longest = 100;

/** How many characters must be added, removed or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index++) {
    const letter = from[index];
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
