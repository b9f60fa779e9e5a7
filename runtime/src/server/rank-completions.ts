/**
 * Returns the candidates that match what the user has typed: first those that begin with it, then those that contain it, each
 * in the given order and once. Letter case is ignored. All candidates match an empty text.
 *
 * Return all matches: the server sends the first 100, with `total` and `hasMore`.
 * @example
 * ```ts
 * rankCompletions("py", ["happy", "perl", "Python"]); // ["Python", "happy"]
 * ```
 */
export function rankCompletions(value: string, candidates: Iterable<string>): string[] {
  const typed = value.toLowerCase();
  const first: string[] = [];
  const rest: string[] = [];
  for (const candidate of new Set(candidates)) {
    const place = candidate.toLowerCase().indexOf(typed);
    if (place === 0) first.push(candidate);
    else if (place > 0) rest.push(candidate);
  }
  return [...first, ...rest];
}
