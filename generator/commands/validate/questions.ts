import { isObject } from "../../shared/is-object.js";
import { checkCapabilities, declaredBy } from "./capabilities.js";
import { checkShape, mentionDeprecated, type Scene } from "./scene.js";
import { type Members, own, shown } from "./values.js";

/** Questions to the user that a result carries, in revisions that have such. */
export function checkQuestions(result: unknown, declared: Members | undefined, scene: Scene): void {
  const { state, facts, tell, line } = scene;
  const questions = own(result, "inputRequests");
  if (!isObject(questions)) return;
  const { inputs = {} } = facts.receives.client;
  for (const [key, question] of Object.entries(questions)) {
    const method = own(question, "method");
    const path = ["result", "inputRequests", key];
    const row = typeof method === "string" && Object.hasOwn(inputs, method) ? inputs[method] : undefined;
    if (typeof method !== "string" || !row) {
      tell(
        "question",
        [...path, "method"],
        `${shown(method)} cannot be asked`,
        facts.link("profile", "serverRequests"),
      );
      continue;
    }
    const model = facts.model.inputRequests.find((one) => one.method === method);
    const context = { facts, tell, path };
    checkCapabilities(method, row, own(question, "params"), declaredBy(state, declared), context);
    if (model) mentionDeprecated(model, [...path, "method"], scene);
    state.questions.set(key, { method, line });
  }
}

/** Their answers, which the next request carries. */
export function checkAnswersToQuestions(params: unknown, scene: Scene): void {
  const { state, facts, tell } = scene;
  if (facts.profile.serverRequests !== "inResult") return;
  const answers = own(params, "inputResponses");
  if (!isObject(answers)) return;
  for (const [key, answer] of Object.entries(answers)) {
    const path = ["params", "inputResponses", key];
    const question = state.questions.get(key);
    const model = facts.model.inputRequests.find(({ method }) => method === question?.method);
    if (!question || !model)
      tell("question", path, `nobody has asked ${shown(key)}`, facts.link("profile", "serverRequests"));
    else checkShape("question", model.result, answer, path, scene, model.link);
  }
}
