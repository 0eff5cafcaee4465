-- One service's database and its two roles: the owner migrates, the runtime role serves. Safe to repeat.
-- Run by a superuser, or by an administrator with CREATEROLE and CREATEDB: psql --set service=pam --file provision.sql, with PAM_OWNER_PASSWORD and PAM_APP_PASSWORD in the environment.
\set ON_ERROR_STOP on
SELECT 'gatehouse_' || :'service' AS database, 'gatehouse_' || :'service' || '_owner' AS owner, 'gatehouse_' || :'service' || '_app' AS app,
       upper(:'service') || '_OWNER_PASSWORD' AS owner_variable, upper(:'service') || '_APP_PASSWORD' AS app_variable \gset
\getenv owner_password :owner_variable
\getenv app_password :app_variable

SELECT format('CREATE ROLE %I', name) FROM (VALUES (:'owner'), (:'app')) AS wanted (name)
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
-- A variable that is not set stays `:'owner_password'`, which is a syntax error: no role is left without a password.
ALTER ROLE :"owner" LOGIN PASSWORD :'owner_password';
ALTER ROLE :"app" LOGIN PASSWORD :'app_password';
-- Only a superuser, or a member of the owner, may create a database for it.
SELECT format('GRANT %I TO CURRENT_USER', :'owner') FROM pg_roles WHERE rolname = current_user AND NOT rolsuper \gexec

SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'owner')
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO :"app";
\connect :"database"
ALTER SCHEMA public OWNER TO :"owner";
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"app";
