// What this module's public declarations speak of: widgets as `GTKWidget`, views and their state.
@_exported import GTKSupport
@_exported import ViewGraph
