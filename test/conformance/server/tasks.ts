import { acceptedContent, inputRequired, type McpServer } from "@mcpwright/runtime/server";
import { ErrorCode, ProtocolError } from "@mcpwright/runtime/errors";
import { z } from "zod";
import { reply } from "./reply.js";

const confirmation = {
  mode: "form" as const,
  message: "Shall it be deleted?",
  requestedSchema: {
    type: "object" as const,
    properties: { confirm: { type: "boolean" as const } },
  },
};

/** Tools for the scenarios of the tasks extension. */
export function addTaskTools(server: McpServer): void {
  server.registerTool(
    "greet",
    { description: "Greets, and never runs as a task", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => reply(`Hello, ${name}!`),
  );

  server.registerTool(
    "slow_compute",
    {
      description: "Waits for a number of seconds",
      inputSchema: z.object({ seconds: z.number().min(0).max(60), label: z.string().optional() }),
      task: "optional",
    },
    async ({ seconds, label = "it" }, { signal }) => {
      await pause(seconds * 1_000, signal);
      return reply(`Computed ${label}.`);
    },
  );

  server.registerTool(
    "failing_job",
    { description: "Fails after a second, with a result for the model", task: "required" },
    async ({ signal }) => {
      await pause(1_000, signal);
      return { ...reply("The job has failed."), isError: true };
    },
  );

  server.registerTool("protocol_error_job", { description: "Fails with a protocol error", task: "optional" }, () => {
    throw new ProtocolError(ErrorCode.InternalError, "The job ended with a protocol error");
  });

  server.registerTool(
    "confirm_delete",
    {
      description: "Asks before it deletes",
      inputSchema: z.object({ filename: z.string() }),
      task: "optional",
    },
    async ({ filename }, context) => {
      const { action } = await context.elicit("confirm", confirmation);
      return reply(action === "accept" ? `Deleted ${filename}.` : `Kept ${filename}.`);
    },
  );

  server.registerTool(
    "multi_input",
    { description: "Asks two questions at once", task: "optional" },
    async (context) => {
      const answers = await Promise.all([
        context.elicit("first", { ...confirmation, message: "The first question?" }),
        context.elicit("second", { ...confirmation, message: "The second question?" }),
      ]);
      return reply(`The answers: ${answers.map(({ action }) => action).join(", ")}.`);
    },
  );

  server.registerTool(
    "test_tool_with_task",
    {
      description: "Asks for a name, then runs as a task",
      inputRequests: () => ({
        user_name: inputRequired.elicit({
          message: "What is your name?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        }),
      }),
      task: "optional",
    },
    (_context, responses) =>
      reply(`Hello, ${String(acceptedContent(responses, "user_name")?.["name"] ?? "stranger")}!`),
  );
}

/** Waits, or fails when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
