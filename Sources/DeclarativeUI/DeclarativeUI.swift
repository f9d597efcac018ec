// What this module's public declarations speak of: widgets as `GTKWidget`, views and their state.
@_exported import GTK
@_exported import ViewGraph
