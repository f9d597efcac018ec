// Replaces Apple's `import PhotosUI`: the pickers of photos and videos, which open the desktop's file chooser.
@_exported import DeclarativeUI
@_exported import UIKitModule
