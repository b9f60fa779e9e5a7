import { safeLine } from "../../shared/model/print-type-expression.js";
import type { ProtocolModel, Side } from "../../shared/model/protocol.js";
import { compareDefinitions } from "./compare-definitions.js";
import { compareFacts } from "./compare-facts.js";
import { compareMethods } from "./compare-methods.js";
import { makeComparison, pairLists } from "./comparison.js";
import { describePair, type PairDescription } from "./describe-pair.js";
import { categories, type DiffFinding, type DiffPlace } from "./finding.js";
import { overlayKey } from "./print-type.js";
import type { PairKind, PairLists, Pairs, SourcePath } from "./pairs.js";
import type { Detail, Rule } from "./rule.js";
import { rules, rulesOn } from "./rules.js";

/** Where a declaration or an entry of the overlay stands in a file. */
export type Locate = (source: SourcePath) => { readonly file: string; readonly line: number } | undefined;

/** Finds the places of each model; nothing when it came without files. */
export interface Locators {
  readonly before?: Locate;
  readonly after?: Locate;
}

/** DIFF: what has changed from one model to another, by category, then rule, then place. */
export function diffModels(
  older: ProtocolModel,
  newer: ProtocolModel,
  locators: Locators = {},
): readonly DiffFinding[] {
  const comparison = makeComparison(older, newer);
  const { lists, emit } = pairLists();
  compareMethods(comparison, emit);
  compareFacts(comparison, emit);
  compareDefinitions(comparison, emit);
  const context = { old: older.revision, new: newer.revision, locators, conversions: newer.conversions };
  const findings = (Object.keys(lists) as PairKind[]).flatMap((kind) => findingsOn(kind, lists[kind], context));
  return sorted(findings);
}

interface Context {
  readonly old: string;
  readonly new: string;
  readonly locators: Locators;
  readonly conversions: ProtocolModel["conversions"];
}

function findingsOn<K extends PairKind>(kind: K, pairs: PairLists[K], context: Context): readonly DiffFinding[] {
  const own = rulesOn(kind);
  return pairs.flatMap((pair) =>
    own.flatMap((rule) => rule.find(pair).map((detail) => findingOf(rule, pair, detail, context))),
  );
}

function findingOf<K extends PairKind>(rule: Rule<K>, pair: Pairs[K], detail: Detail, context: Context): DiffFinding {
  const { name, before, after } = describePair(rule.on, pair);
  const values: Detail = {
    at: pair.at,
    key: keyOf(pair, context),
    name,
    owner: "owner" in pair ? pair.owner : "",
    member: pair.at.slice(pair.at.lastIndexOf(".") + 1),
    before: before?.text ?? "",
    after: after?.text ?? "",
    old: context.old,
    new: context.new,
    ...parties(pair.senders),
    ...detail,
  };
  const say = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, key: string) =>
      Object.hasOwn(values, key) ? safeLine(values[key] ?? "") : whole,
    );
  const { locators } = context;
  const old = pointOf(before, pair.beforeSource, detail["before"], locators.before);
  const now = pointOf(after, pair.afterSource, detail["after"], locators.after);
  return {
    rule: rule.id,
    category: rule.category,
    at: pair.at,
    message: say(rule.message),
    ...(old && { before: old }),
    ...(now && { after: now }),
    sentBy: pair.senders,
    receiver: say(rule.receiver),
    sender: say(rule.sender),
    source: say(rule.source),
    hint: say(hasEntry(rule, say, context) ? rule.hint : (rule.withoutEntry?.hint ?? rule.hint)),
  };
}

/** The name of a place in an overlay; that of the declaring type if the overlay states it there. */
function keyOf(pair: Pairs[PairKind], { conversions }: Context): string {
  const own = overlayKey(pair.at);
  const members = "isUnlisted" in pair ? [pair.after, pair.before] : [];
  const declared = members.flatMap((member) =>
    member?.inheritedFrom === undefined ? [] : [`${member.inheritedFrom}.${member.name}`],
  );
  const isStated = (key: string): boolean =>
    [conversions?.up, conversions?.down].some((entries) => entries && Object.hasOwn(entries, key));
  return isStated(own) ? own : (declared.find(isStated) ?? own);
}

function hasEntry(
  { withoutEntry }: Pick<Rule, "withoutEntry">,
  say: (text: string) => string,
  { conversions }: Context,
): boolean {
  return !!withoutEntry && Object.hasOwn(conversions?.[withoutEntry.direction] ?? {}, say(withoutEntry.key));
}

function pointOf(
  state: PairDescription | undefined,
  source: SourcePath | undefined,
  text: string | undefined,
  locate: Locate | undefined,
): DiffPlace | undefined {
  if (!state || !source) return undefined;
  const shown = text === undefined || text === "" ? state.text : text;
  return {
    text: safeLine(shown),
    path: printSource(source),
    ...locate?.(source),
    ...(state.link !== undefined && { link: state.link }),
  };
}

function printSource({ path }: SourcePath): string {
  return path.map(safeLine).join(".");
}

/** The names of the sender and the receiver in a sentence. */
function parties(senders: readonly Side[]): { readonly sender: string; readonly receiver: string } {
  const [only, ...more] = senders;
  if (only === undefined || more.length > 0) return { sender: "sender", receiver: "receiver" };
  return { sender: only, receiver: only === "client" ? "server" : "client" };
}

const ruleOrder: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));

function sorted(findings: readonly DiffFinding[]): readonly DiffFinding[] {
  const key = ({ category, rule }: DiffFinding): number =>
    categories.indexOf(category) * 1_000 + (ruleOrder.get(rule) ?? 0);
  return findings
    .map((finding, index) => ({ finding, index }))
    .sort((a, b) => key(a.finding) - key(b.finding) || order(a.finding.at, b.finding.at) || a.index - b.index)
    .map(({ finding }) => finding);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
