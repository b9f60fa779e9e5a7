import { z } from "zod";
import type { Backplane } from "../../runtime/src/backplane.js";
import { McpServer, ResourceTemplate, type ServerContext, sessionKey } from "../../runtime/src/server.js";
import { sleep } from "../soak/wait.js";
import { type Answer, type Logged, serverName } from "./model.js";

const counter = sessionKey<number>("count");
const nonced = z.object({ nonce: z.string() });

/**
 * The server, as every node creates it.
 * @param onCall called with the nonce of each call that is carried out
 */
export function chaosServer(
  backplane: Backplane,
  onCall: (nonce: string) => void,
  onerror: (error: Error) => void,
): McpServer {
  const server = new McpServer(
    { name: serverName, version: "1.0.0" },
    {
      backplane,
      stateKeys: [{ id: "1", key: new Uint8Array(32).fill(9) }],
      capabilities: { logging: {}, resources: { subscribe: true } },
      onerror,
    },
  );
  const answer = (nonce: string, { principal }: ServerContext, rest: Partial<Answer> = {}) => {
    const answered: Answer = { nonce, principal: principal?.subject, ...rest };
    return { content: [{ type: "text" as const, text: JSON.stringify(answered) }] };
  };

  server.registerTool("echo", { inputSchema: nonced }, ({ nonce }, context) => {
    onCall(nonce);
    return answer(nonce, context);
  });

  server.registerTool("count", { inputSchema: nonced }, async ({ nonce }, context) => {
    onCall(nonce);
    const count = await context.session?.store.update(counter, (before = 0) => before + 1);
    return answer(nonce, context, { ...(count !== undefined && { count }) });
  });

  server.registerTool(
    "work",
    { inputSchema: nonced.extend({ steps: z.number(), pauseMs: z.number() }) },
    async ({ nonce, steps, pauseMs }, context) => {
      onCall(nonce);
      for (let step = 1; step <= steps; step++) {
        await sleep(pauseMs);
        context.progress({ progress: step, total: steps, message: `${nonce} ${step}` });
        const logged: Logged = { nonce, principal: context.principal?.subject, step };
        context.log("info", logged);
      }
      return answer(nonce, context);
    },
  );

  server.registerTool("tell", { inputSchema: nonced }, async ({ nonce }, context) => {
    onCall(nonce);
    const data: Logged = { nonce, principal: context.principal?.subject };
    // Without the request that it belongs to, a notification waits for the stream of the session.
    await context.connection.notify("notifications/message", { level: "info", data });
    return answer(nonce, context);
  });

  server.registerTool("touch", { inputSchema: nonced.extend({ uri: z.string() }) }, ({ nonce, uri }, context) => {
    onCall(nonce);
    server.sendResourceUpdated({ uri });
    return answer(nonce, context);
  });

  server.registerTool("elicit", { inputSchema: nonced }, async ({ nonce }, context) => {
    onCall(nonce);
    const { content } = await context.elicit("word", {
      mode: "form",
      message: nonce,
      requestedSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    });
    return answer(nonce, context, { word: String(content?.["word"]) });
  });

  server.registerTool("sample", { inputSchema: nonced }, async ({ nonce }, context) => {
    onCall(nonce);
    const { content } = await context.sample("word", {
      maxTokens: 10,
      messages: [{ role: "user", content: { type: "text", text: nonce } }],
    });
    const [block] = Array.isArray(content) ? content : [content];
    return answer(nonce, context, { word: block?.type === "text" ? block.text : "?" });
  });

  server.registerResource("own", new ResourceTemplate("chaos://own/{client}/{at}"), {}, ({ href }) => ({
    contents: [{ uri: href, text: href }],
  }));
  return server;
}
