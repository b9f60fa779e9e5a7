import { parseUrl } from "../jsonrpc/parse-url.js";

/**
 * Finds the accepted ones among the audience of a token. They are compared exactly; only the slash of a URL without a path does not
 * count, which programs add that parse it (RFC 3986, section 6.2.3).
 * @returns the audience, in which the accepted ones are spelled as in `accepted`; undefined when there are none
 */
export function matchAudience(audience: readonly string[], accepted: readonly string[]): readonly string[] | undefined {
  const spellings = new Map([
    ...accepted.map((own) => [otherSpelling(own), own] as const),
    ...accepted.map((own) => [own, own] as const),
  ]);
  const isIntended = audience.some((given) => spellings.has(given));
  return isIntended ? audience.map((given) => spellings.get(given) ?? given) : undefined;
}

/** The other spelling of a URL without a path. */
function otherSpelling(text: string): string {
  if (parseUrl(text)?.href === `${text}/`) return `${text}/`;
  const short = text.replace(/\/$/, "");
  return parseUrl(short)?.href === text ? short : text;
}
