/** One challenge of a `WWW-Authenticate` header (RFC 9110, section 11.6.1). */
export interface Challenge {
  /** As it was sent. Compare without regard to case. */
  readonly scheme: string;
  /** By name in lower case. Of a repeated parameter, the first value. Credentials without names (token68) are left out. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The longest header that is read; the rest is ignored. */
const maxLength = 2 ** 14;
const maxChallenges = 16;

const separators = /[\s,]*/y;
const token = /[\w!#$%&'*+.^`|~-]+/y;
const equals = /\s*=\s*/y;
/** Credentials without names, such as those of `Negotiate`: they end the challenge. */
const token68 = /\s+[\w.~+/-]+=*(?=\s*(?:,|$))/y;
/** A string that does not end extends to the end of the text; its second group is empty. */
const quoted = /"((?:[^"\\]|\\[^])*)("|\\?$)/y;
/** A value without quotes may contain characters that are not allowed there, such as those of a URL. */
const unquoted = /[^\s,"]*/y;

/**
 * Returns the challenges of a `WWW-Authenticate` header, or of several that are joined with commas. Never throws: text that is
 * not a challenge is skipped. At most 16 challenges and 16 KiB are read.
 */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  const text = new Cursor(header?.slice(0, maxLength) ?? "");
  const challenges: { readonly scheme: string; readonly parameters: Map<string, string> }[] = [];
  while (challenges.length <= maxChallenges && !text.isAtEnd()) {
    text.read(separators);
    const name = text.read(token)?.[0];
    if (name === undefined) {
      // A lone quoted string or a stray character.
      if (!text.read(quoted)) text.skip();
    } else if (text.read(equals)) {
      const value = readValue(text);
      const parameters = challenges.at(-1)?.parameters;
      const key = name.toLowerCase();
      if (value !== undefined && parameters && !parameters.has(key)) parameters.set(key, value);
    } else {
      challenges.push({ scheme: name, parameters: new Map() });
      text.read(token68);
    }
  }
  return challenges
    .slice(0, maxChallenges)
    .map(({ scheme, parameters }) => ({ scheme, parameters: Object.fromEntries(parameters) }));
}

/**
 * Returns the parameters of all `Bearer` and `DPoP` challenges of a header, such as `scope`, `error` and `resource_metadata`
 * (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728, section 5.1). Of a repeated parameter, the first value.
 */
export function bearerParameters(header: string | undefined): Readonly<Record<string, string>> {
  const found = parseChallenges(header).filter(({ scheme }) => /^(?:bearer|dpop)$/i.test(scheme));
  return Object.fromEntries(found.reverse().flatMap(({ parameters }) => Object.entries(parameters)));
}

/** Returns undefined for a string that does not end: part of it may be missing. */
function readValue(text: Cursor): string | undefined {
  const string = text.read(quoted);
  if (!string) return text.read(unquoted)?.[0];
  return string[2] === '"' ? string[1]?.replace(/\\([^])/g, "$1") : undefined;
}

/** Reads a text from its start to its end. */
class Cursor {
  #at = 0;

  constructor(readonly text: string) {}

  isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  skip(): void {
    this.#at++;
  }

  /** Reads what a sticky pattern matches here. */
  read(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text) ?? undefined;
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
