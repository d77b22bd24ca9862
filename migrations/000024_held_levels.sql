-- Operators see what is paused or stopped, and why. The lock on these tables is one for a moment: no index is built under it.
alter table tenants add column state_reason text, add column state_reason_at timestamptz;
alter table scopes add column state_reason text, add column state_reason_at timestamptz;
alter table runtime add column state_reason text, add column state_reason_at timestamptz;
