// Re-export the modules that this module's public declarations name: widgets as `GTKWidget`, views and their state.
@_exported import GTK
@_exported import ViewGraph
