import { isObject } from "../../shared/is-object.js";
import { checkCapabilities, declaredBy } from "./check-capabilities.js";
import { checkType, reportDeprecated, type RuleContext } from "./rule-context.js";
import { type Members, ownMember, shownValue } from "./json-values.js";

/** Checks the input requests in a result, or in the params of an extension's notification, in revisions that have them. */
export function checkInputRequests(
  part: "result" | "params",
  value: unknown,
  declared: Members | undefined,
  context: RuleContext,
): void {
  const { state, facts, report, line } = context;
  const questions = ownMember(value, "inputRequests");
  if (!isObject(questions)) return;
  const { inputs = {} } = facts.receives.client;
  for (const [key, question] of Object.entries(questions)) {
    const method = ownMember(question, "method");
    const path = [part, "inputRequests", key];
    const row = typeof method === "string" && Object.hasOwn(inputs, method) ? inputs[method] : undefined;
    if (typeof method !== "string" || !row) {
      report(
        "question",
        [...path, "method"],
        `${shownValue(method)} cannot be asked`,
        facts.link("profile", "serverRequests"),
      );
      continue;
    }
    const model = facts.model.inputRequests.find((one) => one.method === method);
    const place = { facts, report, path };
    checkCapabilities(method, row, ownMember(question, "params"), declaredBy(state, declared), place);
    if (model) reportDeprecated(model, [...path, "method"], context);
    state.questions.set(key, { method, line });
  }
}

/** Checks the input responses in the next request. */
export function checkInputResponses(params: unknown, context: RuleContext): void {
  const { state, facts, report } = context;
  if (facts.profile.serverRequests !== "inResult") return;
  const answers = ownMember(params, "inputResponses");
  if (!isObject(answers)) return;
  for (const [key, answer] of Object.entries(answers)) {
    const path = ["params", "inputResponses", key];
    const question = state.questions.get(key);
    const model = facts.model.inputRequests.find(({ method }) => method === question?.method);
    if (!question || !model)
      report("question", path, `there is no input request ${shownValue(key)}`, facts.link("profile", "serverRequests"));
    else checkType("question", model.result, answer, path, context, model.link);
  }
}
