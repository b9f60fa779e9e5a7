import { z } from "zod";
import type { Principal } from "../../../runtime/src/index.js";
import { acceptedContent, inputRequired, McpServer, type McpServerOptions } from "../../../runtime/src/server.js";

export const text = (value: unknown) => ({ content: [{ type: "text" as const, text: String(value) }] });
export const ada: Principal = { issuer: "https://issuer.example", subject: "ada" };
export const bob: Principal = { issuer: "https://issuer.example", subject: "bob" };

const form = {
  message: "Who?",
  requestedSchema: { type: "object" as const, properties: { name: { type: "string" as const } } },
};
const annotated = (name: string) => ({ "x-mcp-header": name });

/** A server, and what it records for the tests. */
export class Subject {
  readonly reports: Error[] = [];
  /** The calls of handlers, and their aborted signals. */
  readonly entered: string[] = [];
  readonly aborted: string[] = [];
  readonly server: McpServer;
  readonly #held = new Map<string, () => void>();

  constructor(options: McpServerOptions = {}) {
    this.server = new McpServer(
      { name: "subject", version: "1" },
      { capabilities: { logging: {} }, onerror: (error) => this.#report(error), ...options },
    );
    this.#registerTools();
    this.#registerQuestions();
    this.server.registerResource("note", "test://note", {}, ({ href }) => ({
      contents: [{ uri: href, text: "note" }],
    }));
    this.server.registerPrompt("greet", {}, () => ({
      messages: [{ role: "user", content: { type: "text", text: "hi" } }],
    }));
  }

  /** Lets the call of the tool `hold` with this key continue. Await `holds` first. */
  release(key: string): void {
    const resume = this.#held.get(key);
    if (!resume) throw new Error(`no call waits for ${key}`);
    resume();
  }

  holds(key: string): boolean {
    return this.#held.has(key);
  }

  #report(error: Error): void {
    // Logging is deprecated in 2026-07-28; each process reports that once.
    if ((error as { readonly code?: unknown }).code !== "DEPRECATED") this.reports.push(error);
  }

  #registerTools(): void {
    const { server } = this;
    server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, (args) => text(args.text));
    server.registerTool("throw", {}, () => {
      throw new Error("it failed");
    });
    server.registerTool("say", { inputSchema: z.object({ lines: z.array(z.string()) }) }, ({ lines }, context) => {
      for (const line of lines) context.log("warning", line);
      return text("said");
    });
    server.registerTool(
      "hold",
      { inputSchema: z.object({ key: z.string(), first: z.string().optional(), last: z.string().optional() }) },
      async ({ key, first, last }, context) => {
        this.entered.push(key);
        context.signal.addEventListener("abort", () => this.aborted.push(key));
        if (first !== undefined) context.log("warning", first);
        await new Promise<void>((resolve) => this.#held.set(key, resolve));
        this.#held.delete(key);
        if (last !== undefined) context.log("warning", last);
        return text(key);
      },
    );
    server.registerTool(
      "close-sse",
      { inputSchema: z.object({ key: z.string(), retryMs: z.number().optional() }) },
      async ({ key, retryMs }, context) => {
        if (!context.http?.closeSSE) return text("cannot");
        context.http.closeSSE(retryMs);
        await new Promise<void>((resolve) => this.#held.set(key, resolve));
        context.log("warning", "while away");
        return text(key);
      },
    );
    server.registerTool("close-standalone", {}, (context) => {
      context.http?.closeStandaloneSSE?.();
      return text(context.http?.closeStandaloneSSE ? "closed" : "cannot");
    });
    server.registerTool("facts", {}, ({ principal, http }) =>
      text(JSON.stringify([principal, http?.url, http?.header("x-own"), http?.header("x-none")])),
    );
    server.registerTool(
      "region",
      {
        inputSchema: z.object({
          where: z.object({ zone: z.string().optional().meta(annotated("Zone")) }).optional(),
          count: z.int().optional().meta(annotated("Count")),
          dry: z.boolean().optional().meta(annotated("Dry")),
        }),
      },
      (args) => {
        this.entered.push(JSON.stringify(args));
        return text(JSON.stringify(args));
      },
    );
  }

  #registerQuestions(): void {
    const { server } = this;
    const name = z.object({ name: z.string() });
    server.registerTool(
      "ask-before",
      { inputRequests: () => ({ who: inputRequired.elicit(form) }) },
      (_context, given) => text(`hello ${String(acceptedContent(given, "who")?.["name"])}`),
    );
    server.registerTool("ask-by-result", {}, ({ inputResponses }) => {
      const who = inputResponses && acceptedContent(inputResponses, "who");
      return who
        ? text(`hello ${name.parse(who).name}`)
        : inputRequired({ inputRequests: { who: inputRequired.elicit(form) } });
    });
    server.registerTool("ask-and-wait", {}, async (context) => {
      this.entered.push("ask-and-wait");
      const { content } = await context.elicit("who", form);
      return text(`hello ${name.parse(content).name}`);
    });
  }
}
