import Foundation
import Synchronization

/// The name and icon of the process in the audio server's mixer.
package enum AudioIdentity {
    private static let state = Mutex((name: ProcessInfo.processInfo.processName, id: ""))
    /// The name. It must be set before the first player produces audio. The default is the process name.
    package static var name: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }
    /// The name of the program's desktop file. The default is `name`.
    package static var identifier: String {
        get { state.withLock { $0.id.isEmpty ? $0.name : $0.id } }
        set { state.withLock { $0.id = newValue } }
    }
    /// The icon name. By convention, an app's icon has the name of its desktop file.
    package static var iconName: String { state.withLock { $0.id.contains(".") ? $0.id : "video-x-generic" } }
}
