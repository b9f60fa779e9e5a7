import { join, relative } from "node:path";
import { hostConfiguration } from "../../shared/project/host-configuration.js";
import {
  isNotesProject,
  type NotesProject,
  type NotesStart,
  notesFeatures,
  type ProjectOptions,
} from "../../shared/project/project-options.js";
import { unscoped } from "../../shared/project/package-name.js";

/** What the user does after `mcpwright new`. */
export function nextSteps(folder: string, project: ProjectOptions): string {
  const where = relative(process.cwd(), folder);
  const go = where === "" ? "" : `  cd ${/^[\w./@-]+$/.test(where) ? where : JSON.stringify(where)}\n`;
  const steps = isNotesProject(project) ? notesSteps(project) : otherSteps[project.start];
  const text = `Next:\n${go}  npm install\n${steps.trimEnd()}\n`;
  if (!isStdioServer(project)) return text;
  const command = { command: "node", args: [join(folder, "build/main.js")] };
  return `${text}\nTo add it to a host, run npx mcpwright install in the folder, or add this to its configuration:\n${hostConfiguration(unscoped(project.name), command)}\n`;
}

function isStdioServer(project: ProjectOptions): boolean {
  if (!isNotesProject(project)) return stdioStarts.has(project.start);
  const { stdio, auth } = notesFeatures(project);
  return stdio && !auth;
}

type OtherStart = Exclude<ProjectOptions["start"], NotesStart>;

const stdioStarts: ReadonlySet<string> = new Set<OtherStart>([
  "openapi",
  "minimal",
  "tasks",
  "skills",
  "gateway",
  "extension",
]);

const otherSteps: Readonly<Record<OtherStart, string>> = {
  minimal: "  npx mcpwright inspect build/main.js --call greet --arg name=Ada\n",
  tasks: "  npx mcpwright inspect build/main.js --call write_report --arg pages=3 --task\n",
  skills: "  npx mcpwright inspect build/main.js --read skill://write-changelog/SKILL.md\n",
  cluster: `  echo "STATE_KEY=$(npm run --silent key)" > .env
  npm start -- 3001     # needs a running Redis
  npm start -- 3002     # in a second terminal

In a third terminal, call either of them:
  npx mcpwright inspect http://127.0.0.1:3001/mcp --call take_ticket
`,
  gateway: "  npx mcpwright inspect build/main.js --call dice_roll --arg sides=20\n",
  extension: "  npm run client -- a pot of tea\n",
  client: "  npm start -- --help\n",
  openapi: "  npx mcpwright inspect build/main.js\n",
};

function notesSteps(project: NotesProject): string {
  const { stdio, auth } = notesFeatures(project);
  const call = "--call search_notes";
  if (!auth && stdio) return `  npx mcpwright inspect build/main.js ${call}\n`;
  if (!auth) return `  npm start\n\nIn a second terminal:\n  npx mcpwright inspect http://127.0.0.1:3000/mcp ${call}\n`;
  return `  cp .env.example .env
  npm run issuer        # an authorization server for development; leave it running
  npm start${(stdio ? " -- --http" : "").padEnd(12)} # in a second terminal

In a third terminal, log in with any name and password:
  npx mcpwright inspect http://127.0.0.1:3000/mcp ${call}
`;
}
