-- One service's database and its two roles: the owner migrates, the runtime role serves. Safe to repeat.
-- Run by a superuser: psql --set service=pam --file provision.sql, with PAM_OWNER_PASSWORD and PAM_APP_PASSWORD in the environment.
\set ON_ERROR_STOP on
SELECT 'gatehouse_' || :'service' AS database, 'gatehouse_' || :'service' || '_owner' AS owner, 'gatehouse_' || :'service' || '_app' AS app,
       upper(:'service') || '_OWNER_PASSWORD' AS owner_variable, upper(:'service') || '_APP_PASSWORD' AS app_variable \gset
\getenv owner_password :owner_variable
\getenv app_password :app_variable

SELECT format('CREATE ROLE %I', name) FROM (VALUES (:'owner'), (:'app')) AS wanted (name)
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
-- A variable that is not set stays `:'owner_password'`, which is a syntax error: no role is left without a password.
ALTER ROLE :"owner" LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'owner_password';
ALTER ROLE :"app" LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'app_password';

SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'owner')
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO :"app";
-- Functions that look across tenants carry `SET app.system`; PostgreSQL lets only a role with this right create them.
GRANT SET ON PARAMETER app.system TO :"owner";

\connect :"database"
ALTER SCHEMA public OWNER TO :"owner";
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"app";
