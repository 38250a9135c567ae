import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "./engine/embedded/embedded-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Engine that the tests of this project run on. */
    engine: "sqlite" | "postgresql";
    /** Answers with the URL of a new empty database in PostgreSQL. */
    databases: string;
  }
}

/** A database server that tests share. */
interface Cluster {
  readonly url: string;
  remove(): Promise<void>;
}

/**
 * Set-up of a test run: gives tests databases of their own in the PostgreSQL that `DATABASE_URL` names, or in one that
 * is started when the first test asks. All of them are gone after the run.
 */
export default async function provideDatabases(project: TestProject): Promise<() => Promise<void>> {
  const secret = randomBytes(8).toString("hex");
  const names: string[] = [];
  let cluster: Promise<Cluster> | null = null;

  const newDatabase = async (): Promise<string> => {
    cluster ??= openCluster();
    const { url } = await cluster;
    const name = `bylaw_test_${secret}_${names.length}`;
    names.push(name);
    await execute(url, [`create database ${name}`]);
    return Object.assign(new URL(url), { pathname: name }).href;
  };

  const desk = createServer(({ url }, response) => {
    if (url !== `/${secret}`) return void response.writeHead(404).end();
    newDatabase().then(
      (database) => response.end(database),
      (problem: unknown) => response.writeHead(500).end(problem instanceof Error ? problem.message : String(problem)),
    );
  });
  await new Promise<void>((listening) => desk.listen(0, "127.0.0.1", listening));
  const address = desk.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  project.provide("databases", `http://127.0.0.1:${port}/${secret}`);

  return async () => {
    desk.close();
    desk.closeAllConnections();
    const opened = await cluster?.catch(() => null);
    if (!opened) return;
    await execute(
      opened.url,
      names.map((name) => `drop database if exists ${name} with (force)`),
    );
    await opened.remove();
  };
}

async function openCluster(): Promise<Cluster> {
  const { DATABASE_URL: url = "" } = process.env;
  return url === "" ? startEmbeddedPostgres() : { url, remove: async () => undefined };
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
