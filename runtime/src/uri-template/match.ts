import { cut, MAX_LENGTH, RESERVED, type Token, type Variable } from "./parse.js";

/** Limits the length of the URI times that of the template, and so the time and memory of a match. */
const MAX_WORK = 2 ** 25;

/** Text that must match literally. */
interface Literal {
  readonly kind: "literal";
  readonly units: readonly string[];
}

interface Value {
  /** The prefix of the part. A part with a prefix may be missing, and then the rest of its expression is missing too. */
  readonly lead: string;
  readonly separator: string;
  /** The characters that the value cannot contain. */
  readonly stop: string;
  readonly lastOfExpression: boolean;
}

/** One unnamed variable. */
interface Run extends Value {
  readonly kind: "run";
  readonly variable: Variable;
  readonly reserved: boolean;
  /** Whether the part matches as little as possible, to leave room for an optional part after it. */
  readonly early: boolean;
}

/** All named variables of an expression, in any order. */
interface Pairs extends Value {
  readonly kind: "pairs";
  readonly variables: ReadonlyMap<string, Variable>;
}

export type Part = Literal | Run | Pairs;

/** The values of a template's variables in a URI; exploded variables have lists. */
export type MatchedVariables = Record<string, string | string[]>;

type Capture = readonly [Variable, string | string[]];

/** For each position of the URI: 1 + the end of the part if it begins there and the rest matches, otherwise 0. */
type Ends = Int32Array;

/** Counts the loop steps, for tests of the limit. */
interface Meter {
  steps: number;
}

/** Compiles the parts of a template, last part first. */
export function compile(tokens: readonly Token[]): readonly Part[] {
  let nextLead = "";
  let laterComponents = "";
  return tokens.toReversed().flatMap((token): Part | Part[] => {
    if (typeof token === "string") {
      nextLead = "";
      return { kind: "literal", units: toUnits(token) };
    }
    const { first, separator, named, reserved, variables } = token;
    const several = variables.length > 1 ? separator : "";
    let parts: Part[];
    if (named) {
      const stop = separator === ";" ? RESERVED.replace(/[,=]/g, "") : "&?#";
      const byName = new Map(variables.map((variable) => [toUnits(variable.name).join(""), variable]));
      parts = [{ kind: "pairs", lead: first, separator, stop, lastOfExpression: true, variables: byName }];
      nextLead = first;
    } else {
      parts = variables.toReversed().map((variable, index): Run => {
        const lastOfExpression = index === 0;
        const lead = index < variables.length - 1 ? separator : first;
        const early = nextLead !== "";
        nextLead = lead;
        const stop = reserved
          ? laterComponents + (lastOfExpression || variable.explode ? "" : separator)
          : variable.explode
            ? RESERVED.replace(separator, "")
            : RESERVED + several;
        return { kind: "run", lead, separator, stop, lastOfExpression, variable, reserved, early };
      });
    }
    if ("?#".includes(first) && !laterComponents.includes(first)) laterComponents += first;
    return parts;
  });
}

/**
 * Splits text into one unit per character, whether literal or percent-encoded. Reserved characters and "%" stay encoded,
 * because encoding them changes the URI (RFC 3986, section 6.2.2.2).
 */
function toUnits(text: string): string[] {
  return (text.match(/%[C-Fc-f].(?:%[89ABab].){1,3}|%..|./gsu) ?? []).map((unit) => {
    if (!unit.startsWith("%")) return unit;
    try {
      const character = decodeURIComponent(unit);
      if (!`${RESERVED}%`.includes(character)) return character;
    } catch {
      // A template may contain triplets that are not UTF-8; no URI matches them.
    }
    return unit.toUpperCase();
  });
}

/**
 * Passes over the template twice, without backtracking: from its end, to find where each part ends if it begins at a given
 * position of the URI; then from its start, to collect the values.
 */
export function match(
  parts: readonly Part[],
  templateLength: number,
  uri: string,
  meter: Meter = { steps: 0 },
): MatchedVariables | null {
  if (uri.length > MAX_LENGTH || uri.length * templateLength > MAX_WORK) return null;
  try {
    decodeURIComponent(uri);
  } catch {
    return null;
  }
  const units = toUnits(uri);
  let next: Ends = new Int32Array(units.length + 1).fill(1, units.length);
  let afterExpression = next;
  const trail = parts.map((part) => {
    if (part.kind === "literal") {
      next = literalEnds(part, units, next, meter);
    } else {
      if (part.lastOfExpression) afterExpression = next;
      next = part.kind === "run" ? runEnds(part, units, next, meter) : pairsEnds(part, units, next, meter);
      if (part.lead) next = next.map((end, at) => end || (afterExpression[at] ? at + 1 : 0));
    }
    return { part, ends: next };
  });
  if (!next[0]) return null;

  const captures: Capture[] = [];
  let at = 0;
  let missing = false;
  for (const { part, ends } of trail.reverse()) {
    const end: number = missing ? at : (ends[at] ?? 0) - 1;
    if (part.kind !== "literal") {
      missing ||= part.lead !== "" && end === at;
      if (!missing) captures.push(...capture(part, units.slice(at + part.lead.length, end).join("")));
      if (part.lastOfExpression) missing = false;
    }
    at = end;
  }
  return merge(captures);
}

function literalEnds({ units: wanted }: Literal, units: readonly string[], next: Ends, meter: Meter): Ends {
  return next.map((_, at) => {
    let same = 0;
    if (next[at + wanted.length]) while (same < wanted.length && units[at + same] === wanted[same]) same++;
    meter.steps += same + 1;
    return same === wanted.length ? at + same + 1 : 0;
  });
}

function runEnds(run: Run, units: readonly string[], next: Ends, meter: Meter): Ends {
  const ends = new Int32Array(next.length);
  let last = 0;
  const lastUpTo = next.map((end, at) => (end ? (last = at + 1) : last));
  let limit = units.length;
  let firstFrom = 0;
  let endAfterLead = 0;
  for (let at = units.length; at >= 0; at--) {
    meter.steps++;
    const unit = units[at];
    const firstBeyond = firstFrom;
    if (next[at]) firstFrom = at + 1;
    if (unit !== undefined && run.stop.includes(unit)) limit = at;
    // Without a prefix, only a separator after it shows that an empty value is present.
    const mayBeEmpty = run.lead !== "" || (!run.lastOfExpression && unit === run.separator);
    const first = mayBeEmpty ? firstFrom : firstBeyond;
    const most = Math.min(limit, at + run.variable.max);
    const end = first && first <= most + 1 ? (run.early ? first : (lastUpTo[most] ?? 0)) : 0;
    ends[at] = !run.lead ? end : unit === run.lead ? endAfterLead : 0;
    endAfterLead = end;
  }
  return ends;
}

function pairsEnds(pairs: Pairs, units: readonly string[], next: Ends, meter: Meter): Ends {
  const ends = new Int32Array(next.length);
  let limit = units.length;
  let endOfAll = limit;
  for (let at = units.length - 1; at >= 0; at--) {
    meter.steps++;
    const unit = units[at] ?? "";
    if (!pairs.stop.includes(unit)) continue;
    const isPair =
      (unit === pairs.lead || unit === pairs.separator) && readPair(pairs, units.slice(at + 1, limit).join(""));
    if (isPair && unit === pairs.lead && next[endOfAll]) ends[at] = endOfAll + 1;
    if (!isPair || unit !== pairs.separator) endOfAll = at;
    limit = at;
  }
  return ends;
}

function readPair({ variables }: Pairs, text: string): readonly [Variable, string] | undefined {
  const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const variable = variables.get(name);
  const decoded = decodeURIComponent(value);
  return variable && Array.from(decoded).length <= variable.max ? [variable, decoded] : undefined;
}

function capture(part: Run | Pairs, text: string): Capture[] {
  if (part.kind === "pairs") {
    const values = new Map<Variable, string[]>();
    for (const pair of text.split(part.separator)) {
      const read = readPair(part, pair);
      if (!read) continue;
      const [variable, value] = read;
      const known = values.get(variable);
      if (known) known.push(value);
      else values.set(variable, [value]);
    }
    return Array.from(values, ([variable, list]): Capture[] =>
      variable.explode ? [[variable, list]] : list.map((value) => [variable, value]),
    ).flat();
  }
  const decode = (value: string) =>
    part.reserved ? value.replace(/%25(?![\dA-Fa-f]{2})/g, "%") : decodeURIComponent(value);
  return [[part.variable, part.variable.explode ? text.split(part.separator).map(decode) : decode(text)]];
}

/** Merges values by name. Values with a prefix modifier come last, and are compared with the start of the longer value. */
function merge(captures: Capture[]): MatchedVariables | null {
  const merged = Object.create(null) as MatchedVariables;
  for (const [{ name, max }, value] of captures.sort(([a], [b]) => b.max - a.max)) {
    const known = (merged[name] ??= value);
    if (JSON.stringify(typeof known === "string" ? cut(known, max) : known) !== JSON.stringify(value)) return null;
  }
  return merged;
}
