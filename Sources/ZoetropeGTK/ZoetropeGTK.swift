// Players as widgets, for an app that is written with GTK: one import. See docs/gtk.md.
@_exported import Export
@_exported import Filters
@_exported import GLibLoop
@_exported import GTK
@_exported import MediaCore
@_exported import MediaEngine
@_exported import Overlays
@_exported import PlayerControls
@_exported import Presentation
