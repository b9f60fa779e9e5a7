import { Agent, request } from "node:http";
import { HttpServerProcess } from "../http/server-process.js";
import { type Reply, requestText, version } from "./programs/requests.js";

const batch = 32;

/** CPU microseconds of a server over HTTP, of each round. */
export async function measureOverHttp(
  script: string,
  rounds: number,
  slices: number,
): Promise<{ readonly plain: readonly number[]; readonly task: readonly number[] }> {
  const server = await HttpServerProcess.start(script, []);
  const client = new HttpClient(server.port);
  const forms = { plain, task };
  /** Of one call. */
  const measure = async (form: keyof typeof forms, batches = 20): Promise<number> => {
    const before = server.cpuMs;
    await forms[form](client, batches);
    return ((server.cpuMs - before) * 1_000) / (batches * batch);
  };
  const results: { plain: number[]; task: number[] } = { plain: [], task: [] };
  try {
    for (let at = 0; at < slices; at++) for (const form of ["plain", "task"] as const) await measure(form, 40);
    for (let round = 0; round < rounds; round++) {
      const sums = { plain: 0, task: 0 };
      for (let slice = 0; slice < slices; slice++)
        for (const form of Math.random() < 0.5 ? (["plain", "task"] as const) : (["task", "plain"] as const))
          sums[form] += await measure(form);
      for (const form of ["plain", "task"] as const) results[form].push(sums[form] / slices);
    }
    return results;
  } finally {
    client.close();
    await server.close();
  }
}

async function plain(client: HttpClient, batches: number): Promise<void> {
  for (let at = 0; at < batches; at++) {
    const replies = await client.callAll("plain");
    if (!replies.every(({ result }) => result?.["resultType"] === "complete"))
      throw new Error(JSON.stringify(replies[0]));
  }
}

/** Creates tasks, and gets those of the batch before, which have ended meanwhile: the server is never idle, as with plain calls. */
async function task(client: HttpClient, batches: number): Promise<void> {
  let before: readonly string[] = [];
  for (let at = 0; at <= batches; at++) {
    const created = at < batches ? await client.callAll("task") : [];
    await getAll(client, before);
    before = created.map(({ result }) => String(result?.["taskId"]));
  }
}

/** A slow machine pays for tasks that have not ended with another request. */
async function getAll(client: HttpClient, ids: readonly string[]): Promise<void> {
  const replies = await Promise.all(ids.map((taskId) => client.ask("tasks/get", { taskId }, taskId)));
  const failed = replies.find(({ result }) => !["working", "completed"].includes(String(result?.["status"])));
  if (failed) throw new Error(JSON.stringify(failed));
  const working = ids.filter((_, at) => replies[at]?.result?.["status"] === "working");
  if (working.length > 0) await getAll(client, working);
}

class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: batch });
  readonly #port: number;
  #lastId = 0;

  constructor(port: number) {
    this.#port = port;
  }

  callAll(tool: string): Promise<Reply[]> {
    return Promise.all(
      Array.from({ length: batch }, () => this.ask("tools/call", { name: tool, arguments: {} }, tool)),
    );
  }

  ask(method: string, params: object, name: string): Promise<Reply> {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": version,
      "mcp-method": method,
      "mcp-name": name,
    };
    return new Promise((resolve, reject) => {
      request({ agent: this.#agent, port: this.#port, path: "/mcp", method: "POST", headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("end", () => resolve(JSON.parse(text) as Reply));
      })
        .on("error", reject)
        .end(requestText(++this.#lastId, method, params));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
