import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@mcpwright/runtime/server";
import { reply } from "./reply.js";

const userName = inputRequired.elicit({
  message: "What is your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
});
const confirmation = inputRequired.elicit({
  message: "Shall it go on?",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } },
});
const capital = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
});

/** Tools that ask for input, in each of the three ways. */
export function addInputTools(server: McpServer): void {
  server.registerTool(
    "test_input_required_result_elicitation",
    { description: "Asks for a name", inputRequests: () => ({ user_name: userName }) },
    (_context, responses) =>
      reply(`Hello, ${String(acceptedContent(responses, "user_name")?.["name"] ?? "stranger")}!`),
  );

  server.registerTool(
    "test_input_required_result_sampling",
    { description: "Asks the client's model", inputRequests: () => ({ capital_question: capital }) },
    (_context, responses) => reply(`The answer: ${JSON.stringify(inputResponse(responses, "capital_question"))}`),
  );

  server.registerTool(
    "test_input_required_result_list_roots",
    { description: "Asks for the roots", inputRequests: () => ({ client_roots: inputRequired.listRoots() }) },
    (_context, responses) => reply(`The roots: ${JSON.stringify(inputResponse(responses, "client_roots"))}`),
  );

  server.registerTool(
    "test_input_required_result_request_state",
    { description: "Keeps the time of a question in the request state" },
    (context) => confirmed(context, { asked: "first" }),
  );

  server.registerTool(
    "test_input_required_result_tampered_state",
    { description: "Keeps protected data in the request state" },
    (context) => confirmed(context, { granted: "nothing" }),
  );

  server.registerTool(
    "test_input_required_result_multiple_inputs",
    {
      description: "Asks three questions at once",
      inputRequests: () => ({ user_name: userName, greeting: capital, client_roots: inputRequired.listRoots() }),
    },
    (_context, responses) => reply(`${Object.keys(responses).length} answers.`),
  );

  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks questions one after the other" },
    async (context) => {
      const name = await context.elicit("step1", {
        mode: "form",
        message: "Your name?",
        requestedSchema: formOf("name"),
      });
      const color = await context.elicit("step2", {
        mode: "form",
        message: "Your favourite colour?",
        requestedSchema: formOf("color"),
      });
      return reply(`${JSON.stringify(name.content)} likes ${JSON.stringify(color.content)}.`);
    },
  );

  server.registerTool(
    "test_input_required_result_capabilities",
    {
      description: "Asks only questions that the client can answer",
      inputRequests: (_args, _responses, { client }) => ({
        ...(client.capabilities.elicitation !== undefined && { user_name: userName }),
        ...(client.capabilities.sampling !== undefined && { capital_question: capital }),
      }),
    },
    (_context, responses) => reply(`${Object.keys(responses).length} answers.`),
  );

  server.registerTool(
    "test_missing_capability",
    { description: "Needs a client that offers sampling", inputRequests: () => ({ capital_question: capital }) },
    (_context, responses) => reply(`The answer: ${JSON.stringify(inputResponse(responses, "capital_question"))}`),
  );

  server.registerTool(
    "test_streaming_elicitation",
    {
      description: "Asks for a name in a result instead of a request",
      inputRequests: () => ({ user_name: userName }),
    },
    (_context, responses) =>
      reply(`Hello, ${String(acceptedContent(responses, "user_name")?.["name"] ?? "stranger")}!`),
  );
}

/** Asks whether to continue, and passes `requestState` to the client. */
function confirmed({ inputResponses, requestState: before }: ServerContext, requestState: object) {
  const answer = inputResponse(inputResponses, "confirm");
  if (answer.kind === "missing") return inputRequired({ inputRequests: { confirm: confirmation }, requestState });
  return reply(`The answer: ${JSON.stringify(answer)}, remembered: ${JSON.stringify(before)}`);
}

function formOf(field: string) {
  return { type: "object" as const, properties: { [field]: { type: "string" as const } }, required: [field] };
}
