import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { ConversionRow, ConversionStep, Loss, MessagePart, Plan, RowKind } from "../../shared/model/conversion.js";
import type { ProtocolModel, ResultModel, Side, StatedConversions } from "../../shared/model/protocol.js";
import type { Span } from "../../shared/model/source.js";
import { definitionsByName } from "../../shared/model/definitions.js";
import { StatedConversionFacts } from "./stated-facts.js";
import { Planner } from "./planner.js";
import { actionsOf, pruneNoOps } from "./prune-no-ops.js";

export interface BuiltStep {
  readonly step: ConversionStep;
  readonly errors: readonly Diagnostic[];
  readonly findings: readonly Diagnostic[];
}

/** Finds where an overlay states an entry; `undefined` when the overlay's text is not available. */
export type Locate = (revision: string, pointer: readonly string[]) => Span | undefined;

interface Message {
  readonly sender: Side;
  readonly method: string;
  readonly params: string | undefined;
  readonly paramsOptional: boolean;
  /** Absent for notifications. */
  readonly result?: ResultModel;
}

interface Draft {
  readonly sender: Side;
  readonly method: string;
  readonly part: MessagePart;
  readonly plan?: Plan;
}

/**
 * CONVERT: compares two adjacent revisions message by message and derives how to convert messages of one to the other.
 * Envelopes are left out: the connection fills in the members that every request carries.
 */
export function buildStep(
  older: ProtocolModel,
  newer: ProtocolModel,
  direction: "up" | "down",
  stated: StatedConversions,
  locate: Locate,
): BuiltStep {
  const [source, target] = direction === "up" ? [older, newer] : [newer, older];
  const facts = new StatedConversionFacts(stated[direction]);
  const pair = {
    source: definitionsByName(source.definitions),
    target: definitionsByName(target.definitions),
    direction,
  };
  const planner = new Planner(pair, facts, target.resultTag);
  const drafts = messagesOf(source).flatMap((message): readonly Draft[] => {
    const { sender, method, result } = message;
    const other = messagesOf(target).find((found) => isSameMessage(found, message));
    const plan = other && paramsPlan(message, other, planner, facts);
    const own = { sender, method, part: result ? "params" : "notification", ...(plan && { plan }) } as const;
    if (!result) return [own];
    const answer = other?.result && resultPlan(result, other.result, { source, target, planner, facts });
    return [own, { sender, method, part: "result", ...(answer && { plan: answer }) }];
  });
  const plans = pruneNoOps(
    drafts.map(({ plan }) => plan ?? same),
    planner.functions,
  );
  const functions = new Map(plans.functions.map(({ name, plan }) => [name, plan]));
  const rows = drafts.map((draft, index): ConversionRow => {
    const { sender, method, part } = draft;
    const plan = draft.plan && (plans.roots[index] ?? same);
    const actions = plan ? actionsOf(plan, functions) : new Set<string>();
    const customFunctions = [...actions].filter((at) => facts.unstated.has(at));
    if (!plan || customFunctions.length > 0) {
      const { key, fact } = facts.find([method]) ?? {};
      const instead =
        fact?.unsupported ??
        (plan ? `State in the overlay how to convert ${customFunctions.join(", ")}.` : remedy(part));
      const text = plan
        ? `the overlay does not state how to convert ${customFunctions.join(", ")}`
        : `${target.revision} does not have it`;
      return {
        sender,
        method,
        part,
        kind: "unsupported",
        instead,
        losses: [{ kind: "unsupported", at: key ?? method, text }],
      };
    }
    const losses = [...actions].flatMap((at) => facts.losses.get(at) ?? []);
    return { sender, method, part, kind: kindOf(losses), plan, losses };
  });
  const names = { from: source.revision, to: target.revision };
  const at = (...keys: readonly string[]): Span | undefined =>
    locate(newer.revision, ["conversions", direction, ...keys]);
  const stale = facts
    .unused()
    .map((key) => diagnostic("overlay-stale", { entry: `conversions.${direction}.${key}` }, at(key)));
  const acted = new Set(plans.roots.flatMap((plan) => [...actionsOf(plan, functions)]));
  const needs = [...facts.unstated].filter(([key]) => acted.has(key));
  return {
    step: { ...names, rows, functions: plans.functions },
    errors: stated.strict ? stale : [],
    findings: needs.map(([key, problem]) =>
      diagnostic("conversion-unstated", { ...names, at: key, problem, direction, overlay: newer.revision }, at()),
    ),
  };
}

const same: Plan = { kind: "same" };

function remedy(part: MessagePart): string {
  return part === "notification" ? "The notification is not sent." : "Check `availability` before you send it.";
}

/** Requests to the client count as requests, whether they are sent as such or inside results. */
function messagesOf({ requests, inputRequests, notifications }: ProtocolModel): readonly Message[] {
  return [
    ...requests.map(({ sender, method, params, paramsOptional, result }) => ({
      sender,
      method,
      params,
      paramsOptional,
      result,
    })),
    ...inputRequests.map(({ method, params, paramsOptional, result }) => ({
      sender: "server" as const,
      method,
      params,
      paramsOptional,
      result: { kind: "single" as const, type: result },
    })),
    ...notifications.map(({ sender, method, params, paramsOptional }) => ({ sender, method, params, paramsOptional })),
  ];
}

function isSameMessage(one: Message, other: Message): boolean {
  return one.sender === other.sender && one.method === other.method && !one.result === !other.result;
}

/** Optional params count as an object without members. */
function paramsPlan(own: Message, other: Message, planner: Planner, facts: StatedConversionFacts): Plan {
  if (other.params === undefined) return same;
  const empty = (type: string): Plan =>
    planner.plan({ kind: "struct", members: [] }, { kind: "reference", name: type }, [type]);
  if (own.params === undefined) return empty(other.params);
  const plan = planner.named(own.params, other.params);
  if (!own.paramsOptional || other.paramsOptional) return plan;
  const absent = empty(other.params);
  return [...actionsOf(absent, new Map())].some((at) => facts.unstated.has(at)) ? absent : plan;
}

interface Sides {
  readonly source: ProtocolModel;
  readonly target: ProtocolModel;
  readonly planner: Planner;
  readonly facts: StatedConversionFacts;
}

/** Converts the method's own result. The cases for its alternatives come first. */
function resultPlan(own: ResultModel, other: ResultModel, sides: Sides): Plan {
  const { source, target, planner, facts } = sides;
  const plan = planner.named(own.type, other.type);
  switch (own.kind) {
    case "single":
      return plan;
    case "presence": {
      const { member, alternative } = own;
      const inner =
        other.kind === "presence" && other.member === member
          ? planner.named(alternative, other.alternative)
          : unsupported(alternative, facts);
      return {
        kind: "cases",
        cases: [
          { when: [{ kind: "object" }, { kind: "present", member }], plan: inner },
          { when: [], plan },
        ],
      };
    }
    case "tagged": {
      const { member, alternatives } = source.resultTag ?? { member: "", alternatives: [] };
      const cases = alternatives
        .filter(({ value }) => own.alternatives.includes(value))
        .map(({ value, type }) => {
          const known = target.resultTag?.alternatives.find((found) => found.value === value);
          const inner = known && other.kind === "tagged" ? planner.named(type, known.type) : unsupported(type, facts);
          return {
            when: [{ kind: "object" as const }, { kind: "equals" as const, member, values: [value] }],
            plan: inner,
          };
        });
      return { kind: "cases", cases: [...cases, { when: [], plan }] };
    }
  }
}

function unsupported(type: string, facts: StatedConversionFacts): Plan {
  const found = facts.find([type]);
  if (found?.fact.unsupported === undefined)
    return { kind: "refuse", at: facts.need([type], "has no counterpart in the other revision"), instead: "" };
  facts.lose("refuse", found.key, found.fact.loss ?? found.fact.unsupported);
  return { kind: "refuse", at: found.key, instead: found.fact.unsupported };
}

const weights: readonly RowKind[] = ["same", "refuse", "fill", "drop", "substitute", "function"];

/** Refused values are the exception, so the row is of the kind of its other actions. */
function kindOf(losses: readonly Loss[]): RowKind {
  const kinds = losses.map(({ kind }): RowKind => kind);
  return weights.findLast((kind) => kinds.includes(kind)) ?? "same";
}
