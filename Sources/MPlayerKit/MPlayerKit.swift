// An app that imports the kit writes with Zoetrope's names, as one on Apple's platforms does with AVKit's and
// SwiftUI's.
@_exported import Zoetrope
