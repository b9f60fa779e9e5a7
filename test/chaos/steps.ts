import { type ChaosClient, type OpenSession, sseRevision } from "./chaos-client.js";
import { principalHeader } from "./model.js";

export interface Step {
  readonly name: string;
  readonly weight: number;
  readonly suits?: (client: ChaosClient) => boolean;
  readonly run: (client: ChaosClient, sessions: readonly OpenSession[]) => Promise<void>;
}

const revisionOf = ({ plan }: ChaosClient): string => plan.revision;

export const steps: readonly Step[] = [
  { name: "echo", weight: 6, run: (client) => client.call("echo") },
  {
    name: "many at once",
    weight: 1,
    async run(client) {
      const calls = Array.from({ length: client.random.between(2, 6) }, () => client.call("echo"));
      const failed = (await Promise.allSettled(calls)).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    },
  },
  {
    name: "work",
    weight: 4,
    run: (client) => {
      const steps = client.random.between(1, 10);
      return client.call("work", { steps, pauseMs: client.random.between(5, 150) }, steps);
    },
  },
  { name: "count", weight: 4, suits: ({ hasSession }) => hasSession, run: (client) => client.call("count") },
  { name: "tell", weight: 4, suits: ({ hasSession }) => hasSession, run: (client) => client.call("tell") },
  { name: "touch", weight: 3, run: (client) => client.touch() },
  {
    name: "elicit",
    weight: 2,
    suits: (client) => revisionOf(client) >= "2025-06-18",
    run: (client) => client.call("elicit"),
  },
  { name: "sample", weight: 2, run: (client) => client.call("sample") },
  {
    name: "foreign session",
    weight: 1,
    run: async (client, sessions) => {
      const foreign = sessions.filter(
        ({ principal, id, postUrl }) => principal !== client.plan.principal && (id ?? postUrl),
      );
      if (foreign.length > 0) await useForeign(client, client.random.pick(foreign));
    },
  },
];

/** Uses the session of another principal, which must look as if it did not exist. */
async function useForeign(client: ChaosClient, session: OpenSession): Promise<void> {
  const { id, postUrl, revision } = session;
  const method = client.random.pick(["POST", "GET", "DELETE"]);
  const isSse = revision === sseRevision;
  if (isSse && (method !== "POST" || postUrl === undefined)) return;
  const response = await fetch(isSse ? (postUrl ?? "") : client.url, {
    method,
    headers: {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      "content-type": "application/json",
      [principalHeader]: client.plan.principal,
      ...(id !== undefined && { "mcp-session-id": id, "mcp-protocol-version": revision }),
    },
    ...(method === "POST" && { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) }),
  }).catch(() => undefined);
  await response?.body?.cancel();
  // The node may have died, or Redis may be away.
  if (!response || response.status === 404 || response.status === 503) return;
  const detail = `${method} in a session of ${session.principal} (${revision}): status ${response.status}`;
  const now = Date.now();
  client.report({
    rule: "data of another principal",
    client: client.plan.name,
    detail,
    isLoss: false,
    periods: [[now, now]],
  });
}
