import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Side } from "@mcpwright/protocol/contract";
import { lossesOf, type MessageStepLoss } from "@mcpwright/runtime/gateway/losses";
import { isOffered, type KnownServer } from "./known-server.js";
import { lostCapabilities } from "./lost-capabilities.js";
import { lostInList } from "./lost-in-list.js";
import { lostQuestions } from "./lost-questions.js";
import type { FoundLoss, RevisionLosses } from "./revision-losses.js";

/** A loss of a list, and the step that causes it. */
interface ListLoss {
  readonly found: FoundLoss;
  readonly step: MessageStepLoss;
}

/** Members of results that servers send if an item of a list declares them, and the place of that declaration. */
const declarations: Readonly<Record<string, string>> = { "CallToolResult.structuredContent": "Tool.outputSchema" };

/** The methods whose results are lists, of all revisions. */
export const listMethods: ReadonlySet<string> = new Set(
  clientSides.flatMap(({ receives: { results } }) =>
    Object.entries(results)
      .filter(([, { item }]) => item)
      .map(([method]) => method),
  ),
);

/** Finds what clients of a revision do not get of what a server has, through a gateway. */
export function findLosses(server: KnownServer, revision: string): RevisionLosses {
  const from = clientSides.find((side) => side.revision === server.revision);
  const to = clientSides.find((side) => side.revision === revision);
  if (!from || !to) return { revision, losses: [] };
  const found = [
    ...lostCapabilities(server, from, to),
    ...lostInResults(server, from, to),
    ...lostQuestions(server, from, to),
  ];
  return { revision, losses: merged(found) };
}

function lostInResults(server: KnownServer, from: Side, to: Side): readonly FoundLoss[] {
  const hasTasks = isOffered(server, "server.tasks");
  const passing = Object.entries(from.receives.results)
    .filter(([method, row]) => isOffered(server, row.capability) && Object.hasOwn(to.receives.results, method))
    .map(([method, row]) => {
      const way = { from: from.revision, to: to.revision, sender: "client", part: "results" } as const;
      return { method, row, steps: lossesOf({ ...way, method, hasTasks }) };
    });
  const lists = passing.flatMap(({ method, row, steps }): readonly ListLoss[] => {
    if (!row.item) return [];
    const list = { method, row, revision: from.revision, pages: server.pagesOf(method) };
    return steps.flatMap((step) => {
      const found = lostInList(list, step);
      return found ? [{ found, step }] : [];
    });
  });
  const others = passing.flatMap(({ method, row, steps }) =>
    row.item ? [] : steps.map((step) => lostLater(method, step, lists)),
  );
  return [...lists.map(({ found }) => found), ...others];
}

/** What later results can lose. It is certain for items that declare that their results have it. */
function lostLater(method: string, step: MessageStepLoss, lists: readonly ListLoss[]): FoundLoss {
  const { kind, at, text } = step;
  const declared = lists.find(
    ({ found, step: { from, to } }) =>
      found.at === declarations[at] && found.kind === kind && from === step.from && to === step.to,
  );
  const { certainty = "possible", items } = declared?.found ?? {};
  return { direction: "toClient", method, kind, at, text, certainty, ...(items && { items }) };
}

/** Each loss once: several steps can cause the same one. */
function merged(losses: readonly FoundLoss[]): readonly FoundLoss[] {
  const known = new Map<string, FoundLoss>();
  for (const loss of losses) {
    const key = JSON.stringify([loss.direction, loss.method, loss.kind, loss.at]);
    const before = known.get(key);
    const items = [...new Set([...(before?.items ?? []), ...(loss.items ?? [])])];
    const isCertain = before?.certainty === "certain" || loss.certainty === "certain";
    known.set(key, {
      ...(before ?? loss),
      certainty: isCertain ? "certain" : "possible",
      ...(items.length > 0 && { items }),
    });
  }
  return [...known.values()];
}
