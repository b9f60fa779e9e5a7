import type { GatewayLoss } from "@mcpwright/runtime/gateway/losses";
import { escapeLine } from "../../../shared/command/escape-controls.js";
import type { TextStyles } from "../text-styles.js";
import type { FoundLoss, InspectedLosses } from "./revision-losses.js";

/** Prints losses as sections of text: one for each revision, and one for those that a gateway has recorded. */
export function printLosses({ revisions, recorded }: InspectedLosses, paint: TextStyles): readonly string[][] {
  const sections = revisions.map(({ revision, losses }) => [
    paint.strong(`Losses for clients of ${revision} (${losses.length})`),
    ...byMessage(losses, messageOf, paint),
  ]);
  if (!recorded) return sections;
  const heading = paint.strong(`Losses that the gateway has recorded (${recorded.length})`);
  return [...sections, [heading, ...byMessage(recorded, passedMessageOf, paint)]];
}

type PrintedLoss = Pick<FoundLoss, "direction" | "method" | "kind" | "at" | "text"> &
  Partial<Pick<FoundLoss, "certainty" | "items">>;

/** Prints each message once, above the losses of it. */
function byMessage<Loss extends PrintedLoss>(
  losses: readonly Loss[],
  nameOf: (loss: Loss) => string,
  paint: TextStyles,
): readonly string[] {
  const messages = new Map<string, string[]>();
  for (const loss of losses) {
    const name = nameOf(loss);
    messages.set(name, [...(messages.get(name) ?? []), ...lossLines(loss, paint)]);
  }
  return [...messages].flatMap(([name, lines]) => [`  ${paint.name(escapeLine(name))}`, ...lines]);
}

const verbs: Readonly<Record<GatewayLoss["kind"], readonly [certain: string, possible: string]>> = {
  drop: ["drops", "may drop"],
  change: ["changes", "may change"],
  refuse: ["refuses", "may refuse"],
  unsupported: ["lacks", "may lack"],
};

function lossLines({ method, kind, at, text, certainty, items = [] }: PrintedLoss, paint: TextStyles): string[] {
  const [certain, possible] = verbs[kind];
  const line = at === method ? "is not supported" : `${certainty === "possible" ? possible : certain} ${at}: ${text}`;
  return [
    `    ${escapeLine(line, 1_000)}`,
    ...(items.length === 0 ? [] : [`      ${paint.faint(items.map((name) => escapeLine(name)).join(", "))}`]),
  ];
}

function messageOf({ direction, method }: FoundLoss): string {
  return direction === "toServer" ? `answers to ${method}` : method;
}

function passedMessageOf({ server, from, to, direction, method }: GatewayLoss): string {
  const [ofServer, ofClient] = direction === "toClient" ? [from, to] : [to, from];
  const named = `server ${JSON.stringify(server)}${ofServer === undefined ? "" : ` (${ofServer})`}`;
  const clients = `clients${ofClient === undefined ? "" : ` of ${ofClient}`}`;
  return direction === "toClient" ? `${method} from ${named} to ${clients}` : `${method} from ${clients} to ${named}`;
}
