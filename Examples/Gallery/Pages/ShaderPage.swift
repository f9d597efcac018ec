import Zoetrope

/// A shader that can be edited while the video plays.
struct ShaderPage: View {
    @State private var text = ShaderPage.ripple
    @State private var problem = ""
    @State private var command = PlaybackCommand.opening

    private static let ripple = """
        vec4 shade(vec2 uv) {
            vec2 d = uv - 0.5;
            float r = length(d);
            return video(uv + d / max(r, 0.01) * 0.02 * sin(r * 40.0 - time * 6.0));
        }
        """
    private static let scan = """
        vec4 shade(vec2 uv) {
            vec4 c = video(uv);
            float line = 0.75 + 0.25 * sin(uv.y * size.y * 1.5);
            return vec4(c.rgb * line * vec3(0.7, 1.0, 0.75), c.a);
        }
        """
    private static let broken = """
        vec4 shade(vec2 uv) {
            vec4 c = video(uv);
            return c * oops;
        }
        """

    var body: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Loop()
                        Mute()
                        Events([.errorAny])
                    }
                }, command: $command
            )
            .onPlayerEventChange { events in
                for case .error(let error) in events { problem = error.description }
            }
            // An overlay, so that the text editor does not move.
            .overlay(alignment: .bottomLeading) { ProblemNote(text: problem) }
            FlowRow {
                Button("Ripple") {
                    text = ShaderPage.ripple
                    run()
                }
                Button("Scan Lines") {
                    text = ShaderPage.scan
                    run()
                }
                Button("Invalid Shader") {
                    text = ShaderPage.broken
                    run()
                }
                Button("Run") { run() }.keyboardShortcut(.return, modifiers: .control)
                Button("Remove Shader") {
                    problem = ""
                    command = .removeAllFilters
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            TextEditor(text: $text)
                .font(.system(size: 13, design: .monospaced))
                .frame(height: 150)
                .accessibilityLabel("Shader")
        }
        .padding(16)
        .onAppear { run(first: .opening) }
    }

    private func run(first: PlaybackCommand = .idle) {
        problem = ""
        do throws(AVError) {
            command = .batch([first, .filter(try VideoShader(source: text, name: "shader"), clear: true)])
        } catch {
            problem = error.description
        }
    }
}
