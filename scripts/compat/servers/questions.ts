import type { Answer, Question, Session } from "./talk.js";

/** A question with its answer. */
export interface Exchange {
  readonly question: Question;
  readonly answer: Answer;
}

interface Listed {
  readonly name?: string;
  readonly uri?: string;
  readonly inputSchema?: { readonly required?: readonly string[] };
  readonly arguments?: readonly { readonly required?: boolean }[];
}

/** A question, or how to make it from the answer to the one before. */
export type NextQuestion = Question | ((last: Answer) => Question);

/** How many items of a list get a question of their own. */
const most = 12;

/** Asks what every server must answer, valid or not, then the questions for this one. */
export async function interview(session: Session, own: readonly NextQuestion[]): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const ask = async (method: string, params?: unknown): Promise<Answer> => {
    const question = { method, ...(params !== undefined && { params }) };
    const answer = await session.ask(question);
    exchanges.push({ question, answer });
    return answer;
  };
  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: session.client.capabilities,
    clientInfo: { name: "compare", version: "1" },
  });
  session.notify("notifications/initialized");
  await ask("ping");
  const tools = listed(await ask("tools/list"), "tools");
  const prompts = listed(await ask("prompts/list"), "prompts");
  const resources = listed(await ask("resources/list"), "resources");
  await ask("resources/templates/list");

  for (const { name, inputSchema } of tools.slice(0, most))
    if (inputSchema?.required?.length) {
      await ask("tools/call", { name, arguments: {} });
      await ask("tools/call", { name });
    }
  for (const { name, arguments: args = [] } of prompts.slice(0, most)) {
    await ask("prompts/get", { name });
    if (args.some(({ required }) => required)) await ask("prompts/get", { name, arguments: { other: "x" } });
  }
  for (const { uri } of resources.slice(0, most)) await ask("resources/read", { uri });
  await ask("tools/call", { name: "no such tool", arguments: {} });
  await ask("tools/call", {});
  await ask("tools/list", { cursor: 1 });
  await ask("prompts/get", { name: "no such prompt" });
  await ask("resources/read", { uri: "none://such" });
  await ask("resources/read", {});
  await ask("no/such/method");
  let last: Answer = { missing: "nothing was asked" };
  for (const next of own) {
    const { method, params } = typeof next === "function" ? next(last) : next;
    last = await ask(method, params);
  }
  return exchanges;
}

function listed(answer: Answer, member: string): readonly Listed[] {
  const { result } = answer as { readonly result?: Readonly<Record<string, readonly Listed[]>> };
  return result?.[member] ?? [];
}
