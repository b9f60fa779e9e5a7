import {
  isNotesProject,
  type NotesProject,
  notesFeatures,
  type PlainProject,
  type TemplateProject,
} from "./project-options.js";

/** The files of a project, each with its template (a path below `templates/skeletons/`). */
export function projectFiles(options: TemplateProject): ReadonlyMap<string, string> {
  return new Map(isNotesProject(options) ? notesFiles(options) : plainFiles[options.start]);
}

type Files = readonly (readonly [path: string, template: string])[];

/**
 * The files that servers with a file per feature share, also those for APIs. npm does not publish dotfiles such as .gitignore as they are, so
 * templates have other names.
 */
export const commonFiles: Files = [
  [".gitignore", "common/gitignore"],
  ["AGENTS.md", "common/AGENTS.md"],
  ["eslint.config.js", "common/eslint.config.js"],
  ["src/env-file.ts", "common/env-file.ts"],
  ["src/info.ts", "common/info.ts"],
  ["src/log.ts", "common/log.ts"],
  ["src/settings-error.ts", "common/settings-error.ts"],
  ["tsconfig.build.json", "common/tsconfig.build.json"],
  ["tsconfig.json", "common/tsconfig.json"],
  ["vitest.config.ts", "common/vitest.config.ts"],
];

function notesFiles(project: NotesProject): Files {
  const { stdio, http, auth, skills } = notesFeatures(project);
  return [
    ...commonFiles,
    [".dockerignore", "server/dockerignore"],
    [".env.example", "server/env.example"],
    ["Dockerfile", "server/Dockerfile"],
    ["README.md", "server/README.md"],
    ["examples/deprecated.ts", "server/deprecated.ts"],
    ["src/log-requests.ts", "server/log-requests.ts"],
    ["src/main.ts", `server-${stdio && http ? "both" : http ? "http" : "stdio"}/main.ts`],
    ["src/notes.ts", "server/notes.ts"],
    ["src/prompts/summarize.ts", "server/summarize.ts"],
    ["src/resources/all-notes.ts", "server/all-notes.ts"],
    ["src/resources/note.ts", "server/note.ts"],
    ["src/server.ts", "server/server.ts"],
    ["src/settings.ts", "server/settings.ts"],
    ["src/tools/count-words.ts", "server/count-words.ts"],
    ["src/tools/delete-note.ts", "server/delete-note.ts"],
    ["src/tools/remind.ts", "server/remind.ts"],
    ["src/tools/rename-note.ts", "server/rename-note.ts"],
    ["src/tools/search-notes.ts", "server/search-notes.ts"],
    ["src/tools/write-note.ts", "server/write-note.ts"],
    ["test/child.ts", "server-tests/child.ts"],
    ["test/connect.ts", "server-tests/connect.ts"],
    ["test/deprecated.test.ts", "server-tests/deprecated.test.ts"],
    ["test/prompts.test.ts", "server-tests/prompts.test.ts"],
    ["test/resources.test.ts", "server-tests/resources.test.ts"],
    ["test/server.test.ts", "server-tests/server.test.ts"],
    ["test/settings.test.ts", "server-tests/settings.test.ts"],
    ["test/tools.test.ts", "server-tests/tools.test.ts"],
    ...(stdio ? stdioFiles : []),
    ...(http ? httpFiles : []),
    ...(auth ? authFiles : []),
    ...(skills ? notesSkillFiles : []),
  ];
}

const stdioFiles: Files = [["test/stdio.test.ts", "server-tests/stdio.test.ts"]];

const httpFiles: Files = [
  ["src/start-http.ts", "server-http/start-http.ts"],
  ["test/http.test.ts", "server-tests/http.test.ts"],
];

const authFiles: Files = [
  ["src/authorization.ts", "server-auth/authorization.ts"],
  ["src/scopes.ts", "server-auth/scopes.ts"],
  ["test/authorization.test.ts", "server-auth-tests/authorization.test.ts"],
  ["test/issuer/issuer.ts", "server-auth-tests/issuer.ts"],
  ["test/issuer/main.ts", "server-auth-tests/main.ts"],
  ["test/issuer/user.ts", "server-auth-tests/user.ts"],
];

const notesSkillFiles: Files = [
  ["skills/keep-notes/SKILL.md", "server-skills/SKILL.md"],
  ["skills/keep-notes/references/titles.md", "server-skills/titles.md"],
  ["src/skills.ts", "server-skills/skills.ts"],
  ["test/skills.test.ts", "server-skills/skills.test.ts"],
];

const minimalFiles: Files = [
  [".gitignore", "minimal/gitignore"],
  ["README.md", "minimal/README.md"],
  ["src/main.ts", "minimal/main.ts"],
  ["tsconfig.json", "minimal/tsconfig.json"],
];

/** What small projects share. */
const smallFiles: Files = [
  [".gitignore", "common/gitignore"],
  ["AGENTS.md", "common/AGENTS.md"],
  ["tsconfig.build.json", "common/tsconfig.build.json"],
  ["tsconfig.json", "common/tsconfig.json"],
];

const taskFiles: Files = [
  ...smallFiles,
  ["README.md", "tasks/README.md"],
  ["src/main.ts", "small/main.ts"],
  ["src/server.ts", "tasks/server.ts"],
  ["test/connect.ts", "small/connect.ts"],
  ["test/server.test.ts", "tasks/server.test.ts"],
];

const skillsFiles: Files = [
  ...smallFiles,
  ["README.md", "skills/README.md"],
  ["skills/write-changelog/SKILL.md", "skills/SKILL.md"],
  ["skills/write-changelog/references/examples.md", "skills/examples.md"],
  ["src/main.ts", "skills/main.ts"],
  ["src/server.ts", "skills/server.ts"],
  ["test/connect.ts", "small/connect.ts"],
  ["test/server.test.ts", "skills/server.test.ts"],
];

const clusterFiles: Files = [
  ...smallFiles,
  ["README.md", "cluster/README.md"],
  ["src/env-file.ts", "common/env-file.ts"],
  ["src/main.ts", "cluster/main.ts"],
  ["src/server.ts", "cluster/server.ts"],
  ["src/settings.ts", "cluster/settings.ts"],
  ["src/start-node.ts", "cluster/start-node.ts"],
  ["test/nodes.test.ts", "cluster/nodes.test.ts"],
  ["test/redis.ts", "cluster/redis.ts"],
];

const gatewayFiles: Files = [
  ...smallFiles,
  ["README.md", "gateway/README.md"],
  ["src/examples/clock.ts", "gateway/clock.ts"],
  ["src/examples/dice.ts", "gateway/dice.ts"],
  ["src/main.ts", "gateway/main.ts"],
  ["src/servers.ts", "gateway/servers.ts"],
  ["test/connect.ts", "small/connect.ts"],
  ["test/gateway.test.ts", "gateway/gateway.test.ts"],
];

const extensionFiles: Files = [
  ...smallFiles,
  ["README.md", "extension/README.md"],
  ["rank/schema.ts", "extension/schema.ts"],
  ["src/client.ts", "extension/client.ts"],
  ["src/main.ts", "small/main.ts"],
  ["src/server.ts", "extension/server.ts"],
  ["test/rank.test.ts", "extension/rank.test.ts"],
];

const clientFiles: Files = [
  ...commonFiles,
  [".env.example", "client/env.example"],
  ["README.md", "client/README.md"],
  ["src/approvals.ts", "client/approvals.ts"],
  ["src/chat.ts", "client/chat.ts"],
  ["src/consent.ts", "client/consent.ts"],
  ["src/deprecated/capabilities.ts", "client/capabilities.ts"],
  ["src/deprecated/logging.ts", "client/logging.ts"],
  ["src/deprecated/roots.ts", "client/roots.ts"],
  ["src/deprecated/sampling.ts", "client/sampling.ts"],
  ["src/elicitation.ts", "client/elicitation.ts"],
  ["src/form-field.ts", "client/form-field.ts"],
  ["src/host.ts", "client/host.ts"],
  ["src/main.ts", "client/main.ts"],
  ["src/models/anthropic.ts", "client/anthropic.ts"],
  ["src/models/create-model.ts", "client/create-model.ts"],
  ["src/models/echo.ts", "client/echo.ts"],
  ["src/models/model.ts", "client/model.ts"],
  ["src/result-text.ts", "client/result-text.ts"],
  ["src/settings.ts", "client/settings.ts"],
  ["src/targets.ts", "client/targets.ts"],
  ["src/terminal.ts", "client/terminal.ts"],
  ["src/tool-name.ts", "client/tool-name.ts"],
  ["src/transport-to.ts", "client/transport-to.ts"],
  ["src/user-consent.ts", "client/user-consent.ts"],
  ["test/anthropic.test.ts", "client-tests/anthropic.test.ts"],
  ["test/approvals.test.ts", "client-tests/approvals.test.ts"],
  ["test/chat.test.ts", "client-tests/chat.test.ts"],
  ["test/consent.test.ts", "client-tests/consent.test.ts"],
  ["test/elicitation.test.ts", "client-tests/elicitation.test.ts"],
  ["test/host.test.ts", "client-tests/host.test.ts"],
  ["test/hosting.ts", "client-tests/hosting.ts"],
  ["test/process.test.ts", "client-tests/process.test.ts"],
  ["test/server.js", "client-tests/server.js"],
  ["test/settings.test.ts", "client-tests/settings.test.ts"],
  ["test/targets.test.ts", "client-tests/targets.test.ts"],
  ["test/tool-name.test.ts", "client-tests/tool-name.test.ts"],
  ["test/typist.ts", "client-tests/typist.ts"],
];

const plainFiles: Readonly<Record<PlainProject["start"], Files>> = {
  minimal: minimalFiles,
  tasks: taskFiles,
  skills: skillsFiles,
  cluster: clusterFiles,
  gateway: gatewayFiles,
  extension: extensionFiles,
  client: clientFiles,
};
