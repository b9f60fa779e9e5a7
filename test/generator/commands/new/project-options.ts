import type { ProjectOptions } from "../../../../generator/shared/project/project-options.js";

export const stdioServer: ProjectOptions = { kind: "server", name: "notes", transport: "stdio", legacySse: false };

/** Every kind over every transport. */
export const projects: Readonly<Record<string, ProjectOptions>> = {
  "a server over stdio": stdioServer,
  "a server over HTTP": { kind: "server", name: "notes", transport: "http", legacySse: false },
  "a server over HTTP and HTTP+SSE": { kind: "server", name: "notes", transport: "http", legacySse: true },
  "a server over both": { kind: "server", name: "@acme/notes", transport: "both", legacySse: false },
  "a server over everything": { kind: "server", name: "notes", transport: "both", legacySse: true },
  "a protected server": { kind: "server", name: "notes", transport: "http", legacySse: false, auth: true },
  "a protected server over everything": {
    kind: "server",
    name: "@acme/notes",
    transport: "both",
    legacySse: true,
    auth: true,
  },
  "a server with skills": { ...stdioServer, skills: true },
  "a protected server with skills over everything": {
    kind: "server",
    name: "@acme/notes",
    transport: "both",
    legacySse: true,
    auth: true,
    skills: true,
  },
  "a client": { kind: "client", name: "chat" },
};
