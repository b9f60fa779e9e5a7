/** The page of `mcpwright dev --ui`: the messages as they pass, and the tools, prompts and resources of the server to try. */
import type { PageEvents, SessionData } from "../page-data.js";
import { Api, takeToken } from "./api.js";
import { byId, make } from "./dom.js";
import { promptFeature, resourceFeature, templateFeature, toolFeature } from "./feature.js";
import { FeatureList } from "./feature-list.js";
import { MessageList } from "./message-list.js";
import { Questions } from "./questions.js";
import { startTabs } from "./tabs.js";

const api = new Api(takeToken());
const messages = new MessageList();
const questions = new Questions(byId("questions"), api);
const tools = new FeatureList(byId("tools"), api, "tools");
const prompts = new FeatureList(byId("prompts"), api, "prompts");
const resources = new FeatureList(byId("resources"), api, "resources");
const offline = byId("offline");

startTabs(["tools-tab", "prompts-tab", "resources-tab"].map((id) => byId(id)));
byId("clear").addEventListener("click", () => void api.clear());
byId("connect").addEventListener("click", () => void api.connect());

const handlers: { readonly [Name in keyof PageEvents]: (data: PageEvents[Name]) => void } = {
  hello: ({ entry }) => {
    byId("entry").textContent = entry;
    document.title = `${entry} · mcpwright dev`;
  },
  rows: (rows) => messages.show(rows),
  session: showSession,
  questions: (open) => questions.show(open),
  progress: (progress) => {
    for (const list of [tools, prompts, resources]) list.showProgress(progress);
  },
};

await api.listen(
  (name, data) => handlers[name](data),
  (reason) => {
    offline.hidden = reason === undefined;
    offline.textContent = reason ?? "";
  },
);

function showSession(session: SessionData): void {
  const { state, problems, server, revision, instructions } = session;
  const status = byId("server");
  status.className = state;
  const name = server ? `${server.title ?? server.name} ${server.version}` : "The server";
  const facts = { connecting: "connecting", connected: revision ?? "connected", failed: "not connected" }[state];
  status.textContent = `${name} · ${facts}`;
  byId("connect").hidden = state !== "failed";
  const list = byId("problems");
  list.hidden = problems.length === 0;
  list.replaceChildren(...problems.map((problem) => make("li", {}, problem)));
  const details = byId("instructions");
  details.hidden = instructions === undefined;
  const text = details.querySelector("pre");
  if (text) text.textContent = instructions ?? "";
  if (state === "connecting") return;
  tools.show(session.tools?.map(toolFeature));
  prompts.show(session.prompts?.map(promptFeature));
  const listed = [
    ...(session.resources ?? []).map(resourceFeature),
    ...(session.resourceTemplates ?? []).map(templateFeature),
  ];
  resources.show(session.resources || session.resourceTemplates ? listed : undefined);
}
