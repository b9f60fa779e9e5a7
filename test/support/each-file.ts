/** Runs in every test file. */
import { afterAll } from "vitest";
import "./patient-waits.js";
import { removeTemporaryFolders } from "./temporary-folder.js";

afterAll(removeTemporaryFolders);
