import Foundation
import Synchronization

/// How the process shows in the sound server's mixer.
package enum AudioIdentity {
    private static let state = Mutex((name: ProcessInfo.processInfo.processName, id: ""))
    /// Set before the first player makes sound.
    package static var name: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }
    /// The name of the program's desktop file. Default: the program's name.
    package static var identifier: String {
        get { state.withLock { $0.id.isEmpty ? $0.name : $0.id } }
        set { state.withLock { $0.id = newValue } }
    }
    /// By the desktops' convention an app's icon has the name of its desktop file.
    package static var iconName: String { state.withLock { $0.id.contains(".") ? $0.id : "video-x-generic" } }
}
