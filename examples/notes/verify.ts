import { EventEmitter, once } from "node:events";
import { ProtocolError } from "@mcpwright/runtime";
import { everywhere, same, tool } from "../verify/everywhere.js";

const capabilities = { elicitation: {}, sampling: {}, roots: {} };

await everywhere(
  { name: "notes", servers: [new URL("main.ts", import.meta.url)], client: { capabilities } },
  async ([client]) => {
    const heard = new EventEmitter();
    const answers: Record<string, unknown>[] = [];
    client.setRequestHandler("elicitation/create", () => {
      const content = answers.shift();
      return content ? { action: "accept", content: content as Record<string, string> } : { action: "decline" };
    });
    client.setRequestHandler("sampling/createMessage", ({ messages }) => ({
      role: "assistant",
      model: "none",
      content: { type: "text", text: `${messages.length} message summarized` },
    }));
    client.addRoot({ uri: "file:///home/ada" });

    // Tools, paged lists, structured output, errors that the model can read.
    const { tools, nextCursor } = await client.listTools();
    same([tools.length, nextCursor], [9, undefined]);
    same(
      await tool(client, "add-note", { title: "Shopping List", text: "milk and tea" }),
      "Noted as shopping-list\nresource_link",
    );
    same(
      (await client.callTool({ name: "add-note", arguments: { title: "Shopping, list!", text: "" } })).isError,
      true,
    );
    same((await client.callTool({ name: "add-note", arguments: { title: "?", text: "" } })).isError, true);
    same((await client.callTool({ name: "search-notes", arguments: { word: "TEA" } })).structuredContent, {
      found: [{ slug: "shopping-list", title: "Shopping List" }],
      total: 1,
    });

    // Notifications of changes.
    client.onChanged("resources", () => heard.emit("list"));
    same(await client.subscribeResource({ uri: "note:///shopping-list" }, (uri) => heard.emit("update", uri)), true);
    const listed = once(heard, "list");
    await tool(client, "add-note", { title: "Idea", text: "generate it" });
    await listed;

    // The three ways to ask the user.
    const updated = once(heard, "update");
    answers.push({ text: "and eggs" });
    same(await tool(client, "append-to-note", { slug: "shopping-list" }), "Text added to shopping-list");
    same(await updated, ["note:///shopping-list"]);
    answers.push({ tag: "home" });
    same(await tool(client, "tag-note", { slug: "idea" }), "idea was tagged home");
    same(await tool(client, "delete-note", { slug: "idea" }), "The user wants to keep the note");
    answers.push({ sure: true });
    same(await tool(client, "delete-note", { slug: "idea" }), "idea was deleted");

    // Resources, templates, completion, prompts.
    const { resources } = await client.listResources();
    same(
      resources.map(({ uri }) => uri),
      ["note:///", "note:///shopping-list"],
    );
    const { contents } = await client.readResource({ uri: "note:///shopping-list" });
    same(
      contents.map((one) => ("text" in one ? one.text : one.uri)),
      ["# Shopping List\n\nmilk and tea and eggs\n"],
    );
    const missing: unknown = await client.readResource({ uri: "note:///idea" }).catch((error: unknown) => error);
    same(missing instanceof ProtocolError && missing.message, "Resource not found");
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "note:///{slug}" },
      argument: { name: "slug", value: "sh" },
    });
    same(completion.values, ["shopping-list"]);
    const { messages } = await client.getPrompt({
      name: "rewrite",
      arguments: { slug: "shopping-list", style: "formal" },
    });
    same(
      messages.map(({ content }) => content.type),
      ["text", "resource"],
    );

    // Progress, and an aborted call.
    const progress: unknown[] = [];
    await client.callTool(
      { name: "count-words", arguments: {} },
      { onProgress: (step) => progress.push(step.message) },
    );
    same(progress, ["shopping-list"]);
    const givingUp = new AbortController();
    const call = client.callTool({ name: "count-words", arguments: { pauseMs: 10_000 } }, { signal: givingUp.signal });
    givingUp.abort(new Error("enough"));
    same(await call.catch((error: unknown) => error instanceof Error), true);

    // Features that 2026-07-28 deprecates.
    same(await tool(client, "summarize", {}), "1 message summarized");
    same(await tool(client, "where", {}), "file:///home/ada");
    client.setNotificationHandler("notifications/message", ({ data }) => heard.emit("log", data));
    await client.setLoggingLevel("info");
    const logged = once(heard, "log");
    await tool(client, "audit", {});
    same(await logged, [{ slug: "shopping-list", length: 21 }]);
  },
);
