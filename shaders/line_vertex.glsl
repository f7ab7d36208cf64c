//VTK::System::Dec

// Tubes as thin lines: the level of detail for a moving camera.

in vec4 vertexMC;
in float branch;
in vec4 scalarColor;

uniform mat4 sceneToView;
uniform mat4 viewToClip;
uniform int anySelected;
uniform int hoveredBranch;
uniform float clipDepth;
uniform vec2 fogRange;
uniform float fogStrength;
uniform float dimming;
uniform vec3 backgroundColor;
uniform vec3 selectionColor;

smooth out vec3 lineColor;
smooth out float beyondClip;

// How a tube is drawn: 255 plainly, 254 selected, 253 not at all.
int markOf(float alpha)
{
  return int(round(alpha * 255.0));
}

void main()
{
  vec4 positionVC = sceneToView * vertexMC;
  int id = int(round(branch));
  int mark = markOf(scalarColor.a);
  float fog = clamp((-positionVC.z - fogRange.x) / (fogRange.y - fogRange.x), 0.0, 1.0) * fogStrength;
  vec3 color = mix(scalarColor.rgb * 0.85, backgroundColor, fog);
  if (mark == 254 || (id >= 0 && id == hoveredBranch)) {
    color = selectionColor;
  } else if (anySelected != 0) {
    color = mix(backgroundColor, color, dimming);
  }
  lineColor = color;
  beyondClip = -positionVC.z - clipDepth;
  gl_Position = mark == 253 ? vec4(2.0, 2.0, 2.0, 1.0) : viewToClip * positionVC;
}
