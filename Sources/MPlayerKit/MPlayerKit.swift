// The module is re-exported, because an app that imports the kit also uses Zoetrope's names, as an app on Apple's
// platforms uses those of AVKit and SwiftUI.
@_exported import Zoetrope
