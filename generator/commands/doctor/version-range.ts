type Version = readonly [major: number, minor: number, patch: number];
type Test = (version: Version) => boolean;

/**
 * Whether a version is in a range of npm, such as `^1.2.0`, `>=20.19` or `18.x || 20.x`. Prereleases count as their release.
 * @returns undefined for a range that is not understood, such as a tag or a URL
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (!numbers) return undefined;
  const found: Version = [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])];
  const sets = range.split("||").map(comparators);
  if (sets.includes(undefined)) return undefined;
  return sets.some((tests) => tests?.every((test) => test(found)) === true);
}

/** The tests that a version must all pass. */
function comparators(text: string): readonly Test[] | undefined {
  const tight = text.trim().replace(/([<>=~^])\s+/g, "$1");
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(tight);
  const words = hyphen ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`] : tight.split(/\s+/);
  const tests = words.map(comparator);
  return tests.every((test) => test !== undefined) ? tests : undefined;
}

function comparator(word: string): Test | undefined {
  const match = /^([<>]=?|=|~>?|\^)?v?(\d+|[xX*])?(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+][\w.+-]+)?$/.exec(word);
  if (!match || (word !== "" && match[2] === undefined)) return undefined;
  const [, operator = ""] = match;
  const parts = [match[2], match[3], match[4]].map((part) => (/^\d+$/.test(part ?? "") ? Number(part) : undefined));
  const given = parts.findIndex((part) => part === undefined);
  const count = given < 0 ? 3 : given;
  if (count === 0) return () => true;
  const [major = 0, minor = 0, patch = 0] = parts;
  const low: Version = [major, minor, patch];
  const below = (version: Version): boolean => compare(version, end(low, operator, count)) < 0;
  switch (operator) {
    case ">=":
      return (version) => compare(version, low) >= 0;
    case ">":
      return (version) => compare(version, end(low, "", count)) >= 0;
    case "<":
      return (version) => compare(version, low) < 0;
    case "<=":
      return (version) => compare(version, end(low, "", count)) < 0;
    default:
      return (version) => compare(version, low) >= 0 && below(version);
  }
}

/** The first version after those that a comparator means. */
function end([major, minor, patch]: Version, operator: string, count: number): Version {
  if (operator === "^") {
    if (major > 0 || count === 1) return [major + 1, 0, 0];
    return minor > 0 || count === 2 ? [0, minor + 1, 0] : [0, 0, patch + 1];
  }
  if (count === 1) return [major + 1, 0, 0];
  return count === 2 || operator.startsWith("~") ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(a: Version, b: Version): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
