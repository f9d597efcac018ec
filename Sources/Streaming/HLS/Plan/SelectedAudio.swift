import Foundation

/// The selected audio option of a stream, and the audio that plays in each group of the stream.
struct SelectedAudio {
    /// The selected option, or nil for the audio inside the variants.
    let option: Int?
    /// The audio that plays in each group while `option` is selected.
    private let groups: [String: HLSPresentation.GroupAudio]

    /// Selects the audio inside the variants.
    init() {
        option = nil
        groups = [:]
    }

    /// Selects an option of `presentation`, or the audio inside the variants if `option` is nil.
    init(_ option: Int?, in presentation: HLSPresentation) {
        self.option = option
        groups = option.map { presentation.groupAudio(selecting: $0) } ?? [:]
    }

    /// The playlists of the audio in all groups. The audio of one group can continue that of another.
    var playlists: Set<URL> { Set(groups.values.compactMap(\.playlist)) }

    /// Whether the selected option has a playlist of its own in any group.
    var isSeparate: Bool { groups.values.contains { $0.isSelected && $0.playlist != nil } }

    /// Returns the playlist of the audio in the group of the first of `copies`, or nil if the audio is inside the
    /// variant. If that group does not contain the selected option, the group of another copy that contains it applies.
    func playlist(beside copies: [HLSPresentation.VariantSource.Copy]) -> URL? {
        let members = copies.compactMap { copy in copy.groups.audio.flatMap { groups[$0] } }
        let own = members.filter(\.isSelected)
        return (own.isEmpty ? members : own).lazy.compactMap(\.playlist).first
    }
}
