import type { TemplateProject } from "../../../../generator/shared/project/project-options.js";

export const stdioServer: TemplateProject = { start: "server", name: "notes" };

/** Every start, and the options of those that have some. */
export const projects: Readonly<Record<string, TemplateProject>> = {
  "a minimal server": { start: "minimal", name: "@acme/weather" },
  "a server over stdio": stdioServer,
  "a server over HTTP": { start: "http", name: "notes" },
  "a server over HTTP and HTTP+SSE": { start: "http", name: "notes", legacySse: true },
  "a server over both": { start: "http", name: "@acme/notes", stdio: true },
  "a server over everything": { start: "http", name: "notes", stdio: true, legacySse: true },
  "a protected server": { start: "http-auth", name: "notes" },
  "a protected server over everything": { start: "http-auth", name: "@acme/notes", stdio: true, legacySse: true },
  "a server with skills": { start: "server", name: "notes", skills: true },
  "a protected server with skills over everything": {
    start: "http-auth",
    name: "@acme/notes",
    stdio: true,
    legacySse: true,
    skills: true,
  },
  "a server with tasks": { start: "tasks", name: "@acme/reports" },
  "a server of skills": { start: "skills", name: "team" },
  "a cluster": { start: "cluster", name: "@acme/queue" },
  "a gateway": { start: "gateway", name: "@acme/switch" },
  "an extension": { start: "extension", name: "@acme/brew" },
  "a client": { start: "client", name: "chat" },
};
