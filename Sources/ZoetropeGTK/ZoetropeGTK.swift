// The one import for apps that are written with GTK: players as widgets. See docs/gtk.md.
@_exported import Export
@_exported import Filters
@_exported import GLibLoop
@_exported import GTK
@_exported import MediaCore
@_exported import MediaEngine
@_exported import Overlays
@_exported import PlayerControls
@_exported import Presentation
