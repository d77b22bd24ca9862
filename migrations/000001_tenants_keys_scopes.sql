-- Tenants, the keys of all three tiers, and scopes.

create table tenants (
  tenant_id  text primary key,
  -- Order of creation: what lists are sorted and continued by.
  ordinal    bigint generated always as identity unique,
  name       text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table api_keys (
  -- Public beginning of the key, enough to find it; the key itself is never stored.
  key_prefix   text primary key,
  ordinal      bigint generated always as identity,
  sha256       bytea not null check (octet_length(sha256) = 32),
  tier         text not null check (tier in ('tenant', 'admin', 'internals')),
  tenant_id    text references tenants on delete cascade,
  label        text,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  check ((tier = 'tenant') = (tenant_id is not null))
);

create index api_keys_by_tenant on api_keys (tenant_id, ordinal);

create table scopes (
  tenant_id  text not null references tenants on delete cascade,
  scope_id   text not null,
  name       text not null,
  state      text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, scope_id)
);
