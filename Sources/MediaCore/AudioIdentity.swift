import Foundation
import Synchronization

/// How the process shows in the sound server's mixer.
package enum AudioIdentity {
    private static let state = Mutex((name: ProcessInfo.processInfo.processName, icon: "video-x-generic", id: ""))
    /// Set before the first player makes sound.
    package static var name: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }
    package static var iconName: String {
        get { state.withLock { $0.icon } }
        set { state.withLock { $0.icon = newValue } }
    }
    package static var identifier: String {
        get { state.withLock { $0.id.isEmpty ? "org.zoetrope.\($0.name)" : $0.id } }
        set { state.withLock { $0.id = newValue } }
    }
}
