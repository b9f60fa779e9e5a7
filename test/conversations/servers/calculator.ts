import { McpServer } from "../../../runtime/src/server/core.js";
import { object, optionsOf, type ServerSetup, text } from "./setup.js";

/** A server that calculates, asks a model to calculate, and logs. */
export function calculator(setup: ServerSetup): McpServer {
  const server = new McpServer(
    { name: "calculator", version: "1.0.0" },
    optionsOf(setup, { instructions: "Use it for sums.", capabilities: { logging: {} } }),
  );

  server.registerTool(
    "calculate",
    { inputSchema: object({ operation: "string", a: "number", b: "number" }) },
    ({ operation, a, b }) => {
      if (operation === "divide" && b === 0) throw new Error("Cannot divide by zero");
      return text({ add: a + b, subtract: a - b, multiply: a * b, divide: a / b }[operation]);
    },
  );

  server.registerTool("calculate_sum", { inputSchema: object({ a: "number", b: "number" }) }, ({ a, b }) =>
    text(a + b),
  );

  server.registerTool("ai-calculator", { inputSchema: object({ question: "string" }) }, async ({ question }, ctx) => {
    const answer = await ctx.sample("sum", {
      messages: [{ role: "user", content: { type: "text", text: question } }],
      maxTokens: 10,
    });
    const content = [answer.content].flat()[0];
    return text(`The model says ${content?.type === "text" ? content.text : "nothing"}`);
  });

  server.registerTool("logging-test", {}, (ctx) => {
    ctx.log("debug", "too low");
    ctx.log("info", { high: "enough" }, "calculator");
    return text("logged");
  });

  return server;
}
