import type { ProtocolModel, RequestModel } from "../../shared/model/protocol.js";

/** Types derived for methods with result alternatives, so that comparing the tag narrows the result. */
export type Outcome =
  | {
      readonly kind: "tagged";
      readonly name: string;
      readonly base: string;
      readonly member: string;
      readonly value: string;
    }
  | { readonly kind: "without"; readonly name: string; readonly base: string; readonly member: string }
  | {
      readonly kind: "union";
      readonly name: string;
      readonly method: string;
      readonly member: string;
      readonly members: readonly string[];
    };

/** The outcome types of a revision, each once. */
export function outcomes(model: ProtocolModel): readonly Outcome[] {
  const found = new Map<string, Outcome>();
  for (const request of model.requests)
    for (const outcome of outcomesOf(request, model)) found.set(outcome.name, outcome);
  return [...found.values()];
}

function outcomesOf(request: RequestModel, { resultTag }: ProtocolModel): readonly Outcome[] {
  const { result, method, type } = request;
  const name = `${messageStem(type)}Outcome`;
  const complete = `Complete${result.type}`;
  switch (result.kind) {
    case "single":
      return [];
    case "presence":
      return [
        { kind: "without", name: complete, base: result.type, member: result.member },
        { kind: "union", name, method, member: result.member, members: [complete, result.alternative] },
      ];
    case "tagged": {
      if (!resultTag) return [];
      const { member, own } = resultTag;
      const others = resultTag.alternatives
        .filter(({ value }) => result.alternatives.includes(value))
        .map(({ value, type: base }): Outcome => ({
          kind: "tagged",
          name: `${base.replace(/Result$/, "")}Outcome`,
          base,
          member,
          value,
        }));
      const all: readonly Outcome[] = [
        { kind: "tagged", name: complete, base: result.type, member, value: own },
        ...others,
      ];
      return [...all, { kind: "union", name, method, member, members: all.map((outcome) => outcome.name) }];
    }
  }
}

/** The type that callers of the method get. */
export function resultTypeName({ result, type }: RequestModel): string {
  return result.kind === "single" ? result.type : `${messageStem(type)}Outcome`;
}

/** `CallTool` of `CallToolRequest`, `ToolListChanged` of `ToolListChangedNotification`. */
export function messageStem(type: string): string {
  return type.replace(/(Request|Notification)$/, "");
}
