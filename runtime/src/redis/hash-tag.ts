/**
 * Returns a name between braces: a hash tag, by which Redis Cluster places a key. The name itself then has no braces, because the text
 * between the first ones counts.
 */
export function hashTag(name: string): string {
  return `{${name.replace(/[%{}]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) || "%"}}`;
}
